"""``python -m warplog``: the program of this installation, wherever its folder is not on ``PATH``."""

from __future__ import annotations

import os
import subprocess
import sys

from . import WarplogError, _run


def main() -> int:
    """Runs the program with the arguments of this process, and gives its exit status."""
    try:
        words = [_run.program(), *sys.argv[1:]]
        if os.name == "posix":
            os.execv(words[0], words)
        return subprocess.run(words, check=False).returncode
    except (OSError, WarplogError) as error:
        print(f"warplog: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
