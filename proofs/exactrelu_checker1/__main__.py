"""Run the checker: ``python -m exactrelu_checker1`` or ``python COPY/exactrelu_checker1``.

In the second form Python runs this file outside any package. The package is then loaded from
this very folder, and nothing else in or beside the folder can take the place of a module.
"""

import sys

if __package__:
    from .main import main
else:
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    _folder = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != _folder]
    _spec = spec_from_file_location(
        "exactrelu_checker1",
        _folder.joinpath("__init__.py"),
        submodule_search_locations=[str(_folder)],
    )
    if _spec is None or _spec.loader is None:
        sys.exit("exactrelu_checker1: this folder is not a package")
    sys.modules["exactrelu_checker1"] = module_from_spec(_spec)
    from exactrelu_checker1.main import main

if __name__ == "__main__":
    sys.exit(main())
