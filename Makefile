# Each target makes its own virtual environment in .venv if there is none and
# installs what it needs, in the versions of constraints.txt.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# ONNX is an extra, so demo-all reads the real network from its NNet text.
NETWORKS := $(shell grep -rl exactrelu-network/1 --include=*.json cases | sort) cases/acasxu-1-1/network.nnet
# Every example and counterexample of the papers: all claims about a network in one file.
EXAMPLES := $(shell grep -l exactrelu-network/1 cases/*/S00*/*.json)
KEPT := cases/xor/network.json cases/three-layers/S002-P11-weights/N.json cases/three-layers/S002-E08-zero-row/theta.json
# Some questions are open, which is exit code 3: they are too large, or undecided.
OPEN := test $$? = 3
# What the package compiles when it is installed.
LOOPS := hatch_build.py exactrelu/cells/kernels.c
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test again sweep lint certificates lemmas pictures docs browser bench digits pyz clean

# What one can ask, in less than a minute: a certificate is accepted, a forged one refused.
demo: $(VENV)/.core
	PATH="$(CURDIR)/$(BIN):$$PATH" docs/demo.sh

# Every question about every network of the cases, each certificate checked: about two minutes.
.PHONY: demo-all
demo-all: $(VENV)/.core
	@echo "$(BIN)/exactrelu certify … -o demo-output  # the $(words $(NETWORKS)) networks in cases/"
	@$(BIN)/exactrelu certify $(NETWORKS) -o demo-output || $(OPEN)

# Tests start many programs, and compiled modules halve the time that one takes to start.
test again sweep: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --dist worksteal -q --durations=15

# Once more, one after the other, what failed last time: a deadline on a busy machine passes, a mistake fails.
again: $(VENV)/.test
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none -q

# All tests, also those that take long, with the seeds of SEED (a number, shown by the first line
# and with each failure), every check as a program of its own; then every mutant of the checker.
SEED ?= 0
MUTANTS ?= 200
sweep: $(VENV)/.test
	SEED=$(SEED) MUTANTS=$(MUTANTS) EXACTRELU_CHECKER=process HYPOTHESIS_PROFILE=sweep \
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "sweep or not sweep" --durations=40
	$(BIN)/python tests/checker/fuel.py --cases 0.05 --least 20000 --most 200 proofs/certificates/*.jsonl
	$(BIN)/python proofs/mutate_checker.py
	$(BIN)/python proofs/mutate_pins.py
	$(MAKE) verified-proofs verified-forged

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/python proofs/count_tokens.py

# The checker that is proved to be sound (proofs/verified/README.md): the program, its proofs again, forgeries of it. Where the packages
# are absent this says so and is skipped; with EXACTRELU_VERIFIED=required it fails.
.PHONY: verified verified-proofs verified-static verified-forged verified-all
# All of it, where nothing may be skipped: the job of .github/workflows/verified.yml.
verified-all: export EXACTRELU_VERIFIED = required
verified-all: $(VENV)/.test
	$(MAKE) verified verified-proofs verified-forged
	$(BIN)/python -m pytest -q tests/checker/test_verified.py

verified:
	@proofs/verified/make.sh exactrelu-verified

verified-proofs:
	@proofs/verified/make.sh audit coq

verified-forged:
	@proofs/verified/make.sh forged coq

verified-static:
	@proofs/verified/make.sh static

# The certificates of small cases that are kept in the repository and re-checked by the tests.
certificates: $(VENV)/.core
	$(BIN)/exactrelu certify $(KEPT) -o proofs/certificates || $(OPEN)
	$(BIN)/exactrelu certify $(EXAMPLES) -o proofs/certificates/cases --together || $(OPEN)
	find proofs/certificates/cases -size +64k -delete
	$(BIN)/exactrelu lemmas -o lemma-output
	cp lemma-output/certificates/* proofs/certificates/lemmas

# The searches of the lemma laboratory again: the record, the counterexamples, their certificates.
lemmas: $(VENV)/.core
	$(BIN)/exactrelu lemmas --search 15 -o lemma-output
	cp -r lemma-output/cases/. cases
	cp lemma-output/certificates/* proofs/certificates/lemmas
	cp lemma-output/record.json exactrelu/lemmas

# The pictures of the README: the fold-sets of Phuong and Lampert's figures, from the cases.
pictures: $(VENV)/.test
	$(BIN)/exactrelu plot docs/tutorial/small.json --domain box:-2..2 -o docs/pictures/small.svg
	$(BIN)/exactrelu plot cases/networks/trained-2-8-8-1/network.json --domain "box:-2,3;-2,2" -o docs/pictures/trained.svg
	$(BIN)/exactrelu plot cases/phuong-lampert/S001-P1-transparent/N.json --domain box:-1,1 --show complex,folds,dependency -o docs/pictures/fold-set.svg
	$(BIN)/exactrelu plot cases/phuong-lampert/S001-E1-thmA1-nonconvex/theta.json --domain cases/phuong-lampert/S001-E1-thmA1-nonconvex/domain.json --show folds,dependency -o docs/pictures/not-convex.svg
	$(BIN)/exactrelu plot cases/phuong-lampert/S001-E3-bends/theta.json --domain box:-1,1 --show complex,folds -o docs/pictures/bends.svg

# The manual, without a request to anywhere; a warning is an error, and so is a link that leads nowhere.
docs: $(VENV)/.docs
	$(BIN)/python docs/notebooks.py --execute
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d docs/_build/doctrees docs docs/_build/site
	$(BIN)/python docs/links.py docs/_build/site

# The report page in Chromium, which must be installed: tests, and its picture for the README.
browser: $(VENV)/.test
	$(INSTALL) -e '.[test,browser]'
	$(BIN)/python -m pytest -q tests/view/test_browser.py
	$(BIN)/python docs/screenshot.py docs/pictures/report.png

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

# The tables of Sattelberg et al. for networks trained on handwritten digits; installs PyTorch.
digits: $(VENV)/.digits
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.experiments.digits

# The checker as one file, for repositories that keep certificates; the same bytes every time.
pyz:
	$(PYTHON) proofs/build_pyz.py dist/exactrelu-check.pyz

clean:
	rm -rf $(VENV)

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("exactrelu needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(VENV)/bin/python pyproject.toml constraints.txt $(LOOPS)
	$(INSTALL) -e .
	touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml constraints.txt $(LOOPS)
	$(INSTALL) -e '.[test]'
	touch $@

$(VENV)/.docs: $(VENV)/bin/python pyproject.toml constraints.txt $(LOOPS)
	$(INSTALL) -e '.[docs]'
	touch $@

$(VENV)/.digits: $(VENV)/bin/python pyproject.toml constraints.txt $(LOOPS)
	$(INSTALL) -e '.[clusters,torch]'
	touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt $(LOOPS)
	$(INSTALL) -e '.[dev]'
	touch $@
