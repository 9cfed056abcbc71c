# Data over Distance. `make` prints what there is; `make lab` and `make test` set everything up.

MAKEFLAGS += --no-print-directory
BIN := .venv/bin
HEADLESS ?=
IP ?= localhost
PORT ?= 8888
# More words for pytest: make test ARGS="-k doctor"
ARGS ?=
# Whoever starts make in the background has it ignore Ctrl-C, and the tests try Ctrl-C.
PYTEST := env --default-signal=INT $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help lab test test-full bench check lint unit coverage docs packages setup clean

help:
	@echo "make lab               set everything up and open JupyterLab on the first lab"
	@echo "make lab HEADLESS=1    the same without a browser: prints the address (IP=, PORT=)"
	@echo "make test              set everything up and run the tests (ARGS= for pytest)"
	@echo "make test-full         the same with the slow tests"
	@echo "make bench             compare speed with ns-3, and results with theory (ARGS=--only …)"
	@echo "make check             style, types, import rules and the tests without a kernel"
	@echo "make coverage          branch coverage of the packages whose numbers grade students"
	@echo "make docs              build the documentation site into build/site"
	@echo "make packages          install the Debian packages that are missing (as root)"
	@echo "make clean             remove .venv, .uv and caches; keeps your work and the kernel"
	@echo ""
	@echo "Then: .venv/bin/lab --help, and .venv/bin/lab doctor if something does not work."

lab:
	@scripts/setup lab
	@$(BIN)/python scripts/start_lab.py $(if $(filter-out 0,$(HEADLESS)),--headless) --ip $(IP) --port $(PORT)

test:
	@scripts/setup test
	@$(PYTEST) -m "not slow" $(ARGS)

test-full:
	@scripts/setup test
	@$(PYTEST) $(ARGS)

# The table and the page are in artefacts/bench; the fidelity page is a part of the documentation.
bench:
	@scripts/setup test
	@scripts/install-packages bench
	@$(BIN)/python -m benchmarks.compare $(ARGS)

check:
	@scripts/setup check
	@$(MAKE) lint
	@$(MAKE) unit

lint:
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/interrogate lab_tools
	@$(BIN)/codespell

# The packages whose numbers grade students: docstrings and branches covered to 95 %.
NUMBERS := models analysis games control duality reservation transfer figures
coverage:
	@scripts/setup check
	@$(BIN)/python -m pytest $(foreach p,$(NUMBERS),tests/$(p) lab_tools/$(p)) \
		$(foreach p,$(NUMBERS),--cov=lab_tools.$(p)) --cov-branch --cov-fail-under=95 \
		--cov-report=term:skip-covered $(ARGS)

unit:
	@$(PYTEST) -m "not kernel and not slow" $(ARGS)

# NO_MKDOCS_2_WARNING: the theme's advertisement for its successor is no warning about the pages.
docs:
	@scripts/setup check
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "The site is in build/site; .venv/bin/mkdocs serve shows it while you write."

packages:
	@scripts/install-packages base kernel network test

setup:
	@scripts/setup test

clean:
	@rm -rf .venv .uv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@rm -rf .coverage htmlcov artefacts build dist
	@find lab_tools tests -name __pycache__ -prune -exec rm -rf {} +
	@echo "Clean. Your records in data/ and the built kernel in your cache folder are kept."
