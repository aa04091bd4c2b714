#!/usr/bin/env bash
# install_tool.sh VERSION: installs exactrelu for the user who calls it, from this checkout.
set -euo pipefail
[ "${1:-}" = v1 ] || { echo "usage: install_tool.sh v1" >&2; exit 1; }
python3 -m pip install "$(dirname "$0")/../..[onnx,vnnlib]"
