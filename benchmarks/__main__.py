"""``python -m benchmarks [NAME…] [OPTIONS]``: run all benchmarks, or those named.

Options go to the benchmark that is named before them (``python -m benchmarks recovery --help``).
One that compares with a package that is not installed is left out, which is said.
"""

import argparse
import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import iter_modules

import benchmarks
from exactrelu.cli.streams import prepare


def known() -> dict[str, str]:
    """The benchmarks, each with the first line of its docstring; nothing is imported."""
    folder = Path(__file__).parent
    names = [m.name for m in iter_modules(benchmarks.__path__) if not m.ispkg]
    sources = {name: ast.parse((folder / f"{name}.py").read_bytes()) for name in names}
    return {
        name: (ast.get_docstring(source) or "").partition("\n")[0]
        for name, source in sources.items()
        if not name.startswith("_") and _has_main(source)
    }


def _has_main(source: ast.Module) -> bool:
    """Others are what several benchmarks share."""
    return any(isinstance(part, ast.FunctionDef) and part.name == "main" for part in source.body)


def main(arguments: Sequence[str]) -> int:
    """Run what is named; 1 if something that is named cannot be run here."""
    prepare()
    described = known()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        usage="%(prog)s [-h] [NAME ...] [OPTIONS of the last NAME]",
        description="Run all benchmarks, or those named.",
        epilog="\n".join(f"  {name:<14}{text}" for name, text in described.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="all of these by default:")
    n_names = next((i for i, a in enumerate(arguments) if a.startswith("-")), len(arguments))
    # An option before any name is one of this program: --help, or none.
    own, options = arguments[: n_names or None], arguments[n_names:] if n_names else []
    names = parser.parse_args(own).names
    for name in names:
        if name not in described:
            parser.error(f"no benchmark {name!r}; there are {', '.join(described)}")
    missing = [name for name in names or described if not ran(name, options, parser)]
    return 1 if names and missing else 0


def ran(name: str, options: Sequence[str], parser: argparse.ArgumentParser) -> bool:
    """Run one; whether all that it needs is installed."""
    try:
        run = import_module(f"benchmarks.{name}").main
    except ModuleNotFoundError as error:
        print(f"== {name}: left out, as the package {error.name!r} is not installed\n")
        return False
    if options and not signature(run).parameters:
        if options[0] in ("-h", "--help"):
            print(f"usage: python -m benchmarks {name}\n\n{known()[name]}")
            return True
        parser.error(f"{name} has no options; found {options[0]}")
    print(f"== {name}")
    run(*([options] if options else []))
    print()
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
