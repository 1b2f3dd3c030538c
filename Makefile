# `make demo` and `make test` set up everything they need on the first call.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCK := requirements-dev.lock
# To run the programs takes a third of the packages that developing them takes.
RUN_STAMP := $(VENV)/.runs
RUN_LOCK := requirements.lock
PACKAGES := controller firmware_tools solvers hardware_sims
SITE := build/site
API := docs/api
BRICK := controller/rigs/nxt_brick

# Where Python is told to keep no bytecode, each of the hundreds of commands that the tests start would
# compile the same sources once more.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo dashboard environment wheel pyz test prepared-simulators prepared-searches rewritten-tests lint docs screenshots fuzz audit bench setup system browser brick-program lock clean

demo: $(RUN_STAMP)
	$(BIN)/cuberobot demo --camera --speed 20

# Opens a page in your browser; one click starts a simulated robot.
dashboard: $(RUN_STAMP)
	$(BIN)/cuberobot dashboard $(DASHBOARD)

# The virtual environment alone, with what the programs need.
environment: $(RUN_STAMP)

# What pipx, uv and pip install; the same file for every system.
wheel: $(STAMP)
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

# One file that runs without installation, on this kind of system and this version of Python; the versions of
# what is in it are those of the lock file.
pyz: wheel
	@mkdir -p build
	grep '^[a-zA-Z0-9]' $(LOCK) | sed 's/ *\\$$//' > build/constraints.txt
	$(BIN)/shiv --quiet --compressed --extend-pythonpath --output-file dist/puzzlerig.pyz \
		--entry-point solvers.foundation.command_line.one_file:main --constraint build/constraints.txt \
		"$$(ls -t dist/*.whl | head -1)[robot,dashboard,pdf,print]"
	@ls -l dist/puzzlerig.pyz

# What is compiled is compiled first: two workers would else do it twice, at the same time. So are the tests
# themselves, in which pytest rewrites all asserts. The programs are compiled while what tests need is installed.
# `make test ORDER=random` shuffles the tests and prints the seed. Four workers for two cores: half
# of the time, a test waits for a browser, a socket or a real second.
test: $(RUN_STAMP) system browser
	@$(MAKE) --no-print-directory --jobs 3 $(STAMP) prepared-searches prepared-simulators rewritten-tests
	$(BIN)/pytest -n 4 --dist worksteal $(if $(filter random,$(ORDER)),-prandomly) tests

prepared-simulators: $(RUN_STAMP)
	$(BIN)/hwsim prepare

prepared-searches: $(RUN_STAMP)
	$(BIN)/puzzle prepare
	$(BIN)/cuberobot prepare

rewritten-tests: $(STAMP)
	@$(BIN)/pytest --collect-only --quiet tests > /dev/null || true # the run itself reports errors

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@.ci/check-javascript

# The site is made anew each time: a page left over from a module that is gone would hide a dead link.
docs: $(STAMP)
	rm -rf $(SITE) $(API)
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs -d build/doctrees . $(SITE)
	@echo "The site is in $(SITE)/index.html"

# The dashboard's pages as pictures, of a real run of the simulated robot.
screenshots: $(STAMP) browser
	$(BIN)/python -m tests.screenshots docs/images

# Every reader, 20,000 damaged inputs each; `make fuzz COUNT=1000` is over sooner.
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz $(COUNT)

# The lock file, by what can be known here, and by what PyPI knows where there is a network.
audit: $(STAMP)
	$(BIN)/python .ci/audit.py $(LOCK)

bench: $(STAMP) system
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python -m tests.benchmarks

# Compiles everything once, each part under a bar: a few minutes, after which no first use of a
# command is slower than a second one.
setup: $(STAMP) system
	@echo "Compiling everything once; it takes a few minutes."
	$(BIN)/puzzle prepare
	$(BIN)/cuberobot prepare
	$(BIN)/hwsim prepare

# The compilers of the AKSEN board and of the NXT brick and the oracle simulator of the board come
# from the system's package manager.
system:
	@bash .ci/system-packages sdcc:sdcc s51:sdcc-ucsim nbc:nbc

# The dashboard and the page of a packing are tested in a real one.
browser:
	@bash .ci/system-packages chromium-headless-shell:chromium-headless-shell

# The program that moves the robot's motors; the compiled file is kept with its source.
brick-program:
	@bash .ci/system-packages nbc:nbc
	nbc -Z2 -O=$(BRICK)/player.rxe $(BRICK)/player.nxc
	nbc -Z2 -O=$(BRICK)/guard.rxe $(BRICK)/guard.nxc

# Building the project's own entry takes no download either: hatchling is in the lock. Python compiles
# what is used when it is used; pip would compile all, of which most never is.
$(RUN_STAMP): pyproject.toml $(RUN_LOCK)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --require-hashes --requirement $(RUN_LOCK)
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMP): $(RUN_STAMP) $(LOCK)
	$(BIN)/pip install --quiet --no-compile --require-hashes --requirement $(LOCK)
	@touch $@

# Keeps what is pinned where it still fits; `make lock UPGRADE=--upgrade` takes the newest of all.
lock: $(STAMP)
	$(BIN)/uv pip compile $(COMPILE) --all-extras --group build --group dev --group docs $(UPGRADE) \
		--output-file $(LOCK) pyproject.toml
	$(BIN)/uv pip compile $(COMPILE) --extra dashboard --extra print --group build --constraint $(LOCK) \
		--output-file $(RUN_LOCK) pyproject.toml

COMPILE := --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command 'make lock'

clean:
	rm -rf $(VENV) build dist $(API) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find $(PACKAGES) tests -name __pycache__ -prune -exec rm -rf {} +
