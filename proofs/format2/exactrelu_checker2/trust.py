"""What must be read to believe a method: the modules that are loaded for it, and their size.

Not counted are this module and ``main``, which only reads arguments and prints verdicts.
"""

import sys
from importlib import import_module
from pathlib import Path

from .claims import KINDS, methods

_PROGRAM = (__name__, f"{__package__}.main", f"{__package__}.__main__")


def print_trust(asked: str) -> int:
    """Print the modules that are loaded for a kind and method, with their lines of code."""
    kind, _, method = asked.partition(":")
    known = methods(kind, True) | methods(kind, False) if kind in KINDS else {}
    names = [module for name, module in known.items() if method in ("", name)]
    if not names:
        print(f"exactrelu-check: no kind and method {asked!a}", file=sys.stderr)
        return 2
    for name in ("check", KINDS[kind][0], *names):
        import_module(f".{name}", __package__)
    sizes = {
        name: code_lines(Path(str(module.__file__)))
        for name, module in sorted(sys.modules.items())
        if name.startswith(f"{__package__}.") and module.__file__ and name not in _PROGRAM
    }
    for name, size in sizes.items():
        print(f"{size:6} {name}")
    print(f"{sum(sizes.values()):6} lines of code for {asked}")
    return 0


def code_lines(path: Path) -> int:
    """Return the number of lines that are not blank, comments or docstrings."""
    count, quoted = 0, False
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.strip()
        marks = text.count('"""')
        if not quoted and text and not text.startswith(("#", '"""')):
            count += 1
        quoted ^= marks % 2 == 1
    return count
