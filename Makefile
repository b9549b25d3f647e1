# make chat · make test: everything else is optional. The first target that needs .venv makes it.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
ARGS ?=
# Tests wait for processes and sockets half of their time, so two share a core.
WORKERS ?= $(shell cores=$$(nproc 2>/dev/null) && echo $$(( cores * 2 )) || echo auto)
.DEFAULT_GOAL := help
.PHONY: help setup chat demo run test slow thorough bare check lint types meta bench docs screenshots lock

help:
	@echo "make chat    talk with Bellhop in this terminal (ARGS=\"--role Guest\" passes options)"
	@echo "make demo    see it in a browser: Discord and Slack on this machine, people to be"
	@echo "make test    run the tests, but for the slow ones and those of the repository itself"
	@echo "make slow    run the slow ones: browsers, campaigns, processes that are killed and started again"
	@echo "make thorough   run what tries only a part in make test: every example and crash point"
	@echo "make bare    run the tests of what Chromium, bubblewrap and PostgreSQL are for, without them"
	@echo "make run     run the bot for its platforms"
	@echo "make check   format, lint, types, import contracts, house rules"
	@echo "make bench   measure it and write docs/performance.md (ARGS=\"turn growth\" runs these)"
	@echo "make docs    build the site of the documents, and check its links"
	@echo "make screenshots   take the pictures of the documents from the demo (needs Chromium)"
	@echo "make setup   create .venv (done by the others when needed), compile the program"
	@echo "make lock    renew requirements.lock (needs uv)"

# A service may not write to this folder: without bytecode, each start would compile every module.
setup: $(READY)
	@$(BIN)/python -m compileall -q bot

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Bellhop needs Python 3.11 or newer; name one with: make setup PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' \
		|| { echo "Python's venv module is missing; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Setting up .venv from requirements.lock (once; about a minute) ..."
	@start=$$(date +%s); clear=; \
		[ "$$($(BIN)/python -V 2>&1)" = "$$($(PYTHON) -V 2>&1)" ] || clear=--clear; \
		$(PYTHON) -m venv $$clear .venv \
		&& { $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock \
			|| { echo "The libraries come ready built for Python 3.11 to 3.14. If one could not be built for yours," >&2; \
				echo "name an older Python: make setup PYTHON=python3.14" >&2; exit 1; }; } \
		&& $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e . \
		&& echo "Set up in $$(( $$(date +%s) - start )) s. For the command bellhop in this terminal:" \
		&& echo "  source $(CURDIR)/.venv/bin/activate"
	@touch $(READY)

chat: $(READY)
	@$(BIN)/bellhop chat $(ARGS)

demo: $(READY)
	@$(BIN)/bellhop demo $(ARGS)

run: $(READY)
	@$(BIN)/bellhop run $(ARGS)

# Tests start the program hundreds of times, and pytest rewrites each file: both need bytecode.
test slow thorough bare: export PYTHONDONTWRITEBYTECODE =

test: $(READY)
	@$(BIN)/python -m compileall -q bot
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m "not slow" --ignore=tests/meta $(ARGS)

# Each worker collects what it is given: all 9,000 tests would take it half a minute.
slow: $(READY)
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m slow $$(grep -rl --include='*.py' 'mark\.slow' tests) $(ARGS)

# The tests of what needs a program that may be missing, as they run where it is.
BARE_TESTS := tests/tools/running tests/tools/permission/test_confinement.py tests/plugins/browser \
	tests/plugins/workspaces/test_workspaces.py tests/flows/test_hijack_outside.py \
	tests/flows/test_scripts_and_requests.py tests/flows/test_specialist_processes.py \
	tests/flows/test_tool_making.py tests/plugins/postgresql \
	tests/chat/test_adapter_contract.py tests/turns/standing tests/meta/test_tool_schemas.py

bare: $(READY)
	@BARE_MACHINE=1 $(BIN)/pytest -q -n $(WORKERS) --dist worksteal $(BARE_TESTS) $(ARGS)

thorough: $(READY)
	@$(BIN)/pytest -q -n auto --dist worksteal --hypothesis-profile=thorough -m "hypothesis or thorough" $(ARGS)

# With -j2 the types, which take one core, are checked beside the rest.
check: lint types docs meta

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(READY)
	$(BIN)/pyright

meta: $(READY)
	$(BIN)/pytest -q tests/meta

bench: $(READY)
	@$(BIN)/python bench/report.py $(ARGS)

docs: $(READY)
	@$(BIN)/python -m mkdocs build --strict --site-dir $${SITE:-site}

screenshots: $(READY)
	@$(BIN)/python bench/pictures.py

# The second one is without the tools of development, for images.
LOCKED := --extra browser --extra heif --extra plots --extra postgresql --extra traces --generate-hashes \
	--universal --python-version 3.11 --no-emit-index-url --no-header
lock:
	uv pip compile pyproject.toml --group dev $(LOCKED) --output-file requirements.lock
	uv pip compile pyproject.toml --constraints requirements.lock --no-annotate $(LOCKED) --output-file deploy/requirements.lock
