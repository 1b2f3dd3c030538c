# `make demo` and `make test` set up everything they need on the first call.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
KERNELS := $(VENV)/.kernels
PACKAGES := controller firmware_tools solvers hardware_sims
BRICK_PROGRAM := controller/rigs/nxt_cradle/brick_program

.PHONY: demo test lint bench setup system brick-program clean

demo: $(STAMP) $(KERNELS)
	$(BIN)/cuberobot demo --camera --speed 20

test: $(STAMP) $(KERNELS) system
	$(BIN)/pytest -n 2 --dist worksteal tests

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP) $(KERNELS) system
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python -m tests.benchmarks

setup: $(STAMP) $(KERNELS) system

# The compilers of the two boards, and an oracle simulator, come from the system's package manager.
system:
	@bash .ci/system-packages sdcc:sdcc s51:sdcc-ucsim nbc:nbc

# The program that moves the robot's motors; the compiled file is kept with its source.
brick-program:
	@bash .ci/system-packages nbc:nbc
	nbc -Z2 -O=$(BRICK_PROGRAM)/player.rxe $(BRICK_PROGRAM)/player.nxc

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --editable . --group dev
	@touch $@

# Compiled kernels are kept beside their sources. Numba renews one when its own file changes, but
# not when a file changes from which it takes in a function; so all go when any source is newer.
$(KERNELS): $(STAMP) $(shell find $(PACKAGES) -name '*.py')
	@find $(PACKAGES) \( -name '*.nbi' -o -name '*.nbc' \) -delete
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
	find $(PACKAGES) \( -name '*.nbi' -o -name '*.nbc' \) -delete
