# One word a job; CONTRIBUTING.md says when to use which.
PYTHON ?= python3
VENV ?= .check
EXTRAS ?= dev
# Installed before the package, for machines where a plain resolve would fetch the wrong build.
FIRST ?=
BIN := $(VENV)/bin

.PHONY: test check setup fix golden clean

test: setup check

setup: $(BIN)/.ready

$(BIN)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(if $(FIRST),$(BIN)/pip install --quiet $(FIRST))
	$(BIN)/pip install --quiet --editable '.[$(EXTRAS)]'
	touch $@

check:
	$(BIN)/ruff check --output-format concise
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports
	$(BIN)/pytest --numprocesses auto --cov --cov-report term

fix:
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

clean:
	rm -rf $(VENV) .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
