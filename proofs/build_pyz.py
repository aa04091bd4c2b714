"""Write the checker as one file, ``exactrelu-check.pyz``, and print its SHA-256.

    python proofs/build_pyz.py dist/exactrelu-check.pyz

The same bytes from every Python: names sorted, one date, nothing compressed. The program of the
file passes the exit code on, which that of ``python -m zipapp -m …`` does not; and it says that
Python is too old before any import that would fail.
"""

import argparse
import hashlib
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHEBANG = b"#!/usr/bin/env -S python3 -I\n"
RUN = """if __name__ == "__main__":
    from exactrelu_checker.program import run

    sys.exit(run())
"""


def build(target: Path) -> str:
    """Write the file; return its SHA-256."""
    own = HERE / "exactrelu_checker" / "__main__.py"
    guard = own.read_text(encoding="utf-8").split("if __name__ ==")[0]
    parts = {"LICENSE": (HERE / "LICENSE").read_bytes(), "__main__.py": (guard + RUN).encode()}
    for package in ("exactrelu_checker", "exactrelu_ci"):
        for path in (*(HERE / package).rglob("*.py"), *(HERE / package).glob("*.txt")):
            parts[path.relative_to(HERE).as_posix()] = path.read_bytes()
    del parts["exactrelu_checker/__main__.py"]
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        file.write(SHEBANG)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name in sorted(parts):
                info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                info.external_attr, info.create_system = 0o644 << 16, 3
                archive.writestr(info, parts[name])
    target.chmod(0o755)
    return hashlib.sha256(target.read_bytes()).hexdigest()


def main() -> int:
    """Write the file that is named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("target", type=Path, metavar="FILE", help="such as exactrelu-check.pyz")
    target = parser.parse_args().target
    try:
        print(build(target), target, sep="  ")
    except OSError as error:
        parser.error(f"{error.filename or target}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
