"""``python -m benchmarks [NAME…]``: run all benchmarks, or those named."""

import sys
from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def main() -> None:
    names = [m.name for m in iter_modules(benchmarks.__path__) if not m.name.startswith("_")]
    for name in sys.argv[1:] or names:
        print(f"== {name}")
        import_module(f"benchmarks.{name}").main()
        print()


main()
