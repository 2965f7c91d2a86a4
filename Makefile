# Two commands matter: `make lab` opens the chapter, `make test` checks all of it. Both make .venv by themselves.
PYTHON ?= python3
BIN := .venv/bin

# The kernels of this .venv, not of the machine; no inherited backend that would swallow inline figures.
export JUPYTER_PREFER_ENV_PATH := 1
unexport MPLBACKEND PYTHONPATH

.PHONY: lab test refresh refresh-check faults lock env

lab: env
	$(BIN)/jupyter lab --allow-root $(ARGS) notebooks/00_start_here.ipynb

test: env
	$(BIN)/python -m pytest $(ARGS)

refresh: env
	$(BIN)/python -m chapter.refresh

refresh-check: env
	$(BIN)/python -m chapter.refresh --check

faults: env
	$(BIN)/python tests/plant_faults.py

# Needs uv: resolve pyproject.toml for all Pythons and platforms at once, and write the versions down by hash.
lock:
	uv lock --upgrade
	uv export --frozen --quiet --no-header --no-annotate --no-emit-project --output-file requirements.lock

env:
	@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) was not found. Install Python 3.11 to 3.14, for instance 'apt install python3 python3-venv'."; exit 1; }
	@"$(PYTHON)" bootstrap.py
