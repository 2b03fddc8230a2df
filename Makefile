# `make` alone lists the targets. Everything runs in a virtual environment in .venv, with locked dependencies.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is checked: the layers of the program and its tests.
CODE := $(wildcard domain infra projections services workers)
TESTS ?= tests
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help install run demo test lint types imports unit soak bench chaos fmt migrate platform rebuild moderator verify scenario replay-diff settings lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 14

install: $(VENV)/dev.stamp ## virtual environment with the locked dependencies, tools for development included

run: $(VENV)/run.stamp ## start everything: database, broker, API, follower, worker, sweep (Ctrl-C ends it)
	@exec $(BIN)/python -m infra.run

demo: $(VENV)/run.stamp ## play one game over HTTP and print its log and score (GAME=roeko, SEED=1)
	@exec $(BIN)/python -m services.demo

test: ## lint, types, imports and all tests; ends non-zero if anything fails
	@$(MAKE) --no-print-directory lint types imports unit

lint: $(VENV)/dev.stamp ## style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp ## static types
	$(BIN)/mypy $(CODE)

imports: $(VENV)/dev.stamp ## who may import whom
	$(BIN)/lint-imports

unit: $(VENV)/dev.stamp ## the tests (TESTS=tests/infra for some, WORKERS=0 for one process)
	$(BIN)/pytest -n $(WORKERS) --dist loadscope $(TESTS)

soak: $(VENV)/dev.stamp ## the long tests: thousands of games (TESTS=… for some)
	$(BIN)/pytest -n $(WORKERS) -m soak --timeout 0 $(TESTS)

bench: $(VENV)/dev.stamp ## measure everything that docs/scaling.md tells (QUICK=1 for a short run, ONLY="http" for a part)
	$(BIN)/python -m tests.bench

chaos: $(VENV)/dev.stamp ## many games while everything is killed at random (FAULTS=500, SEED=… repeats a run)
	$(BIN)/python -m tests.chaos

fmt: $(VENV)/dev.stamp ## format the code
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format .

# These two use the servers of the settings, of a running `make run`, or start embedded ones for themselves.
migrate: $(VENV)/run.stamp ## bring the database's schema up to date
	@$(BIN)/python -m infra.serving infra.migrate

platform: $(VENV)/run.stamp ## a credential for a platform (NAME=…); prints it once
	@$(BIN)/python -m infra.serving services.platforms "$(NAME)"

rebuild: $(VENV)/run.stamp ## derive the read models anew (TABLES="id id": of these tables only)
	@$(BIN)/python -m infra.serving projections.rebuild $(TABLES)

moderator: $(VENV)/run.stamp ## register a moderator (NAME=who) and print the token, which is shown this once
	@$(BIN)/python -m infra.serving services.moderators "$(NAME)"

verify: $(VENV)/run.stamp ## check an exported record, offline (FILE=export.ndjson, KEY=hex of the server's public key)
	@$(BIN)/python -m services.verify "$(FILE)" $(KEY)

scenario: $(VENV)/dev.stamp ## make a test of an exported record (FILE=export.ndjson NAME=what-it-shows)
	@$(BIN)/python -m tests.scenarios.from_record "$(FILE)" "$(NAME)"

replay-diff: $(VENV)/dev.stamp ## play the whole games of tests/scenarios on two versions of the code (BASE=git revision)
	@$(BIN)/python -m tests.scenarios.replay_diff "$(BASE)"

settings: $(VENV)/run.stamp ## renew the table of settings in README.md
	$(BIN)/python -m infra.settings README.md

lock: $(VENV)/dev.stamp ## renew requirements*.lock from pyproject.toml
	$(BIN)/pip install -q pip-tools
	$(BIN)/pip-compile -q -U $(LOCK_OPTIONS) -o requirements.lock pyproject.toml
	$(BIN)/pip-compile -q -U $(LOCK_OPTIONS) --extra dev -o requirements-dev.lock pyproject.toml

clean: ## remove caches (neither .venv nor data)
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

LOCK_OPTIONS := --no-header --no-annotate --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
	--no-emit-options --strip-extras

# The stamps are newer than the lock they were installed from; `make` installs again only when a lock changes.
$(VENV)/run.stamp: requirements.lock | $(BIN)/pip
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock | $(BIN)/pip
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-dev.lock
	@touch $@ $(VENV)/run.stamp

# Some systems ship Python without ensurepip; then pip is put into the environment by the system's pip.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { \
		$(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install -q pip; }
