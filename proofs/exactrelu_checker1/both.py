"""While the library moves to format 2: files of version 1 go to the old checker, others to the new.

``exactrelu-check`` is this program until no question writes version 1 any more.
"""

import contextlib
import gzip
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from exactrelu_checker.main import main as check2

from exactrelu_checker1.main import main as check1

_ORDER = (2, 1, 3, 4, 0)


def is_old(argument: str) -> bool:
    """Whether the argument is the name of a file of version 1."""
    try:
        with open(argument, "rb") as stream:
            is_gzip = stream.read(2) == b"\x1f\x8b"
        with gzip.open(argument) if is_gzip else open(argument, "rb") as stream:
            return b'"format":"exactrelu-certificate/1"' in stream.readline(1 << 26)
    except (OSError, ValueError, EOFError):
        return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Check each file with its checker."""
    given: list[str] = []
    for argument in sys.argv[1:] if arguments is None else arguments:
        if given and given[-1] in ("--network", "--expect", "--domain"):
            given[-1] += f"={argument}"
        else:
            given.append(argument)
    options = [a for a in given if a.startswith("-") and a != "--"]
    old = [a for a in given if a not in options and is_old(a)]
    if not old:
        return check2(given)
    new = [a for a in given if a not in options and a not in old and a != "--"]
    codes, results = [], []
    for check, its in ((check1, old), (check2, new)):
        if its:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                codes.append(check([*options, "--", *its]))
            if "--json" in options:
                results += json.loads(out.getvalue())["results"]
            else:
                print(out.getvalue(), end="")
    code = min(codes, key=_ORDER.index)
    if "--json" in options:
        found = {result["file"]: result for result in results}
        print(json.dumps({"exit": code, "results": [found[f] for f in given if f in found]}))
    return code


if __name__ == "__main__":
    sys.exit(main())
