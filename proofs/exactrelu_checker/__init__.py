"""The independent checker of exactrelu certificates: standard library, integers only."""

import sys

__version__ = "0.1.0"
FORMAT = "exactrelu-certificate/2"


def refuse_module(package: str) -> None:
    """End a program that is a module of a package on its own: it would check nothing and
    exit 0.

    Before Python runs a module by -m it comes here, and its name is a word of the command
    only. By its path it has no package, and Python refuses what it imports from there.
    """
    words = getattr(sys, "orig_argv", sys.argv)[-len(sys.argv) :]
    started = words[0] if sys.argv[:1] == ["-m"] else ""
    if package == "__main__" or started.partition(f"{package}.")[2] not in ("", "__main__"):
        sys.stderr.write(
            "exactrelu-check: no program; python -m exactrelu_checker FILE checks\n"
        )
        sys.exit(2)


refuse_module(__name__)
