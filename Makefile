# Two commands matter: `make lab` opens the chapter, `make test` checks all of it. Both make .venv by themselves.
PYTHON ?= python3
BIN := .venv/bin
# Into .venv, also where pip.conf or PIP_USER would have it in the home directory.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-user

# The kernels of this .venv, not of the machine; no inherited backend that would swallow inline figures.
export JUPYTER_PREFER_ENV_PATH := 1
# Where matplotlib keeps its list of fonts: without a home directory it would say so in the first cell that draws.
export MPLCONFIGDIR := $(CURDIR)/.venv/matplotlib
unexport MPLBACKEND PYTHONPATH

.PHONY: lab test check refresh refresh-check browser bench bench-sliders bench-class faults lock site site-tools handout peers mutants matrix trust student teacher env

lab: env
	$(BIN)/jupyter lab --allow-root $(ARGS) notebooks/00_start_here.ipynb

test: env
	$(BIN)/python -m pytest $(ARGS)

refresh: env
	$(BIN)/python -m tools.refresh

refresh-check: env
	$(BIN)/python -m tools.refresh --check

# The browser's driver, for those who have a Chromium; `make test` then runs tests/browser/ too.
browser: env
	$(PIP) --require-hashes -r requirements-browser.lock

# torch is there to be compared with, so it is an extra and in no lock. Where pip would take a CUDA build (Linux, by default), a CPU
# build put into .venv beforehand spares gigabytes: pip leaves what is there alone. Without torch its column is left out.
bench: env
	-$(PIP) "attention-chapter[torch]"
	$(BIN)/python tools/bench_attention.py $(ARGS)

bench-sliders: browser
	$(BIN)/python tools/bench_sliders.py

bench-class: env
	$(BIN)/python tools/bench_class.py

# Needs npm and its node, for the two packages in website/npm.json.
site-tools: env
	$(PIP) --require-hashes -r requirements-site.lock
	$(BIN)/python website/npm.py

site: site-tools
	$(BIN)/python website/build_site.py

# Needs a Chromium, which prints.
handout: site browser
	$(BIN)/python website/handout.py

# What others compute, for tests/test_peers.py. PyTorch comes apart from the lock, because its CPU build is what is wanted:
# where pip would take the CUDA build (Linux), add the index of CPU builds that PyTorch's own page of installation names.
peers: env
	$(PIP) --require-hashes -r requirements-peers.lock
	$(PIP) "attention-chapter[torch]"

# What reads the code without running it. pyright needs a node, its own or the machine's.
check: env
	$(PIP) --require-hashes -r requirements-check.lock
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	TYPES=required $(BIN)/python -m pytest -q -n0 tests/test_docstrings.py -k pyright

faults: env
	$(BIN)/python tools/plant_faults.py

mutants: env
	$(PIP) --require-hashes -r requirements-mutation.lock
	$(BIN)/python tools/mutate.py $(ARGS)

matrix: env
	$(BIN)/python tools/matrix.py $(ARGS)

trust: env
	$(BIN)/python tools/trust.py

student: env
	$(BIN)/python -m tools.editions student

teacher: env
	$(BIN)/python -m tools.editions teacher

# Needs uv: resolve pyproject.toml for all Pythons and platforms at once, and write the versions down by hash. What a lock has is kept
# where it may be, so `make lock ONE=numpy` moves that one; without ONE everything is taken anew. All groups agree with requirements.lock.
RESOLVE = uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --no-header --no-annotate \
	$(if $(ONE),--upgrade-package $(ONE),--upgrade)
lock:
	@command -v uv >/dev/null || { echo "make lock needs uv; 'python3 -m pip install uv' in an environment of its own brings it."; exit 1; }
	@[ -z "$(ONE)" ] || grep -q "^$(ONE)==" requirements*.lock || grep -q '"$(ONE)[<>=]' pyproject.toml || { echo "ONE=$(ONE): neither a lock nor pyproject.toml has a package of that name; they spell it in small letters, with '-'."; exit 1; }
	$(RESOLVE) pyproject.toml --group dev --output-file requirements.lock
	$(RESOLVE) --group browser --constraint requirements.lock --output-file requirements-browser.lock
	$(RESOLVE) --group site --constraint requirements.lock --output-file requirements-site.lock
	$(RESOLVE) --group peers --constraint requirements.lock --output-file requirements-peers.lock
	$(RESOLVE) --group mutation --constraint requirements.lock --output-file requirements-mutation.lock
	$(RESOLVE) --group check --constraint requirements.lock --output-file requirements-check.lock

env:
	@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) was not found. Install Python 3.11 to 3.14, for instance 'apt install python3 python3-venv'."; exit 1; }
	@"$(PYTHON)" bootstrap.py
