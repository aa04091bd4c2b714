# Each target makes its own virtual environment in .venv if there is none and
# installs what it needs, in the versions of constraints.txt.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test lint bench clean

demo: $(VENV)/.core
	$(BIN)/python -m exactrelu.demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -q

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python proofs/count_lines.py

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV)

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("exactrelu needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e .
	touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e '.[test]'
	touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e '.[dev]'
	touch $@
