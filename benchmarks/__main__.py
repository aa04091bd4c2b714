"""``python -m benchmarks [NAME…] [OPTIONS]``: run all benchmarks, or those named.

Options go to the benchmarks that have some (``recovery --help``).
"""

import sys
from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def main() -> None:
    modules = [m for m in iter_modules(benchmarks.__path__) if not m.ispkg]
    known = [m.name for m in modules if not m.name.startswith("_")]
    arguments = sys.argv[1:]
    n_names = next((i for i, a in enumerate(arguments) if a.startswith("-")), len(arguments))
    options = arguments[n_names:]
    for name in arguments[:n_names] or known:
        print(f"== {name}")
        import_module(f"benchmarks.{name}").main(*([options] if options else []))
        print()


main()
