"""Writes the case folders from the tables in ``forgeries``: ``python build_cases.py``."""

from __future__ import annotations

import importlib
import json
import pkgutil
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import forgeries  # noqa: E402


def build() -> dict[str, bytes]:
    """Return the content of every file under ``cases``."""
    files: dict[str, bytes] = {}
    for module in pkgutil.iter_modules(forgeries.__path__):
        table = importlib.import_module(f"forgeries.{module.name}")
        folder = module.name.replace("_", "-")
        for case in table.CASES:
            stem = f"{folder}/{case.name}"
            if stem + case.suffix in files:
                raise ValueError(f"two cases are called {stem}")
            files[stem + case.suffix] = case.data
            if case.options:
                files[f"{stem}.options.json"] = (json.dumps(case.options) + "\n").encode()
        for name, text in getattr(table, "NETWORKS", {}).items():
            files[f"{folder}/networks/{name}"] = text.encode()
    return files


if __name__ == "__main__":
    contents = build()
    shutil.rmtree(HERE / "cases", ignore_errors=True)
    for path, data in contents.items():
        target = HERE / "cases" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
