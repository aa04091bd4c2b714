"""Compile the loops of exactrelu/cells/kernels.c, if there is a compiler; else the package is pure.

Run by hatchling when the package is built or installed, and by hand: ``python hatch_build.py``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    # Run by hand, where nothing is packed.
    BuildHookInterface = object

CELLS = Path(__file__).parent / "exactrelu" / "cells"
SOURCE, LIBRARY = CELLS / "kernels.c", CELLS / "_kernels.so"

#: Products and sums are rounded one by one, as numpy does it.
FLAGS = (
    *("-std=c11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"),
    *("-fPIC", "-shared", "-fvisibility=hidden"),
)


def build(library: Path = LIBRARY) -> bool:
    """Make the library; whether that was possible."""
    number = int.from_bytes(hashlib.sha256(SOURCE.read_bytes()).digest()[:8], "big")
    compiler = shlex.split(os.environ.get("CC", "cc"))
    try:
        with TemporaryDirectory(dir=library.parent) as folder:
            made = Path(folder) / library.name
            program = [
                *compiler,
                *FLAGS,
                f"-DSOURCE={number}u",
                str(SOURCE),
                "-o",
                str(made),
                "-lm",
            ]
            subprocess.run(program, check=True, capture_output=True, timeout=300)
            made.replace(library)
    except (OSError, subprocess.SubprocessError):
        # Where nothing can be written, nothing can be removed either.
        with suppress(OSError):
            library.unlink(missing_ok=True)
        return False
    return True


class KernelHook(BuildHookInterface):
    """Puts the library into the wheel, which is then one for this platform and any Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files are collected."""
        if build():
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
            build_data["artifacts"].append(f"/{LIBRARY.relative_to(CELLS.parents[1]).as_posix()}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.partition("\n\n")[0]).parse_args()
    sys.exit(0 if build() else "no C compiler: numpy does the work of exactrelu/cells/kernels.c")
