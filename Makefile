# `make demo` and `make test` set up everything they need on the first call.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint bench setup system clean

demo: $(STAMP)
	$(BIN)/cuberobot demo --speed 20

test: $(STAMP) system
	$(BIN)/pytest -n 2 --dist worksteal tests

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP) system
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python -m tests.benchmarks

setup: $(STAMP) system

# Compiler and oracle simulator of the AKSEN board come from the system's package manager.
system:
	@bash .ci/system-packages sdcc:sdcc s51:sdcc-ucsim

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --editable . --group dev
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
