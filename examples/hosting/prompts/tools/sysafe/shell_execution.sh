#!/bin/sh
# The line comes as JSON on standard input and goes to sh as one argument.
# To show the line a folder of the machine, add `read: /path` to the tool's file and list the path in
# tools.shell.readable.
command=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["command"])') || exit 2
exec /bin/sh -c "$command"
