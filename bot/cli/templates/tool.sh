#!/bin/sh
# Arguments come as JSON on standard input; what is printed is the result. An exit status other than
# 0 makes it an error that the model sees. There is no network here unless the tool's file says
# `network: yes` below its shell: line.
name=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["name"])')
echo "Hello, $name."
