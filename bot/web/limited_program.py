"""Becomes another program, with limits: `python -m bot.web.limited_program MEMORY FILE -- …`.

MEMORY and FILE are bytes, of the program's memory and of each file that it writes; 0 is no limit.
Limits survive exec, so no shell and no hook in a thread of ours is needed.
"""

import os
import resource
import sys

NOT_STARTED = 126


def main() -> None:
    memory, file, _, *argv = sys.argv[1:]
    if int(memory):
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(file), int(file)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execvp(argv[0], argv)  # noqa: S606 - a list of arguments, and no shell
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
        sys.exit(NOT_STARTED)


if __name__ == "__main__":
    main()
