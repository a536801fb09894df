# learn2fix: `make` prints what it can do.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help install demo test fuzz soak kills bench seeded calibration lint system docs screenshots record tables clean
help:            ## what make can do
	@grep -hE '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## */  make \1\t/' | expand -t 20

# System packages are a gain, not a need: without them everything works, slower or less isolated,
# and `learn2fix doctor` says what is missing. They are installed only when run as root with apt.
system:          ## what makes it faster and safer: libtcc, bubblewrap, chromium (as root, with apt)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then sh tools/system-packages.sh; fi

$(BIN)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[all,dev]'
	touch $@

install: system $(BIN)/.installed  ## make .venv with every extra; .venv/bin/learn2fix is the command

demo: install    ## the triangle bug: questions, condition, patch
	$(BIN)/learn2fix demo

lint: install    ## ruff, mypy --strict, import-linter
	$(BIN)/ruff check src tests tools benchmarks
	$(BIN)/ruff format --check src tests tools benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

# Two tests for each core: many of them wait for a time limit. A worker keeps the tests of a file together, so
# that they share what is built for them.
WORKERS ?= $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN))
test: lint       ## everything CI checks: lint, then all tests
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

SECONDS ?= 600
fuzz: install    ## property tests on fresh examples, for SECONDS=600
	$(BIN)/python tools/fuzz.py $(SECONDS)

soak: SECONDS = 7200
soak: install    ## hostile programs for two hours, killed and resumed: make soak SECONDS=600 for ten minutes
	$(BIN)/python tools/soak.py $(SECONDS) --summary results/soak.md

KILLS ?= 100
kills: install   ## sessions at a terminal and a server with three people, killed 100 times each: make kills KILLS=20
	$(BIN)/pytest -s tests/test_kills.py --kills $(KILLS)

bench: install   ## ratios: executions, learning time, candidates a second
	$(BIN)/python -m benchmarks

BUGS ?= 200
seeded: install  ## bugs of our own in the zoo's correct programs: right, wrong, undecided (BUGS=200)
	$(BIN)/learn2fix bench seeded tests/zoo --sample $(BUGS) --out seeded.csv

record: install  ## write golden transcripts and the README's demo anew, to be read as a diff
	LEARN2FIX_RECORD=1 $(BIN)/pytest tests/test_transcripts.py

SESSIONS = $(addprefix results/, kinds.csv tuning.csv seeded.csv every-kind-1.csv every-kind-2.csv every-kind-3.csv)
RECENT = $(addprefix results/, every-kind-4.csv every-kind-5.csv every-kind-6.csv every-kind-7.csv every-kind-8.csv)
calibration: install  ## refit confidence on one half of the committed rows, check on the other, draw it
	$(BIN)/python tools/fit_confidence.py $(SESSIONS) --recent $(RECENT) \
		--before results/confidence-before.toml --plot results/calibration.svg

tables: install  ## write the figures of results/*.csv into the tables of the documents
	$(BIN)/python tools/readme_tables.py
	$(BIN)/python tools/paper_tables.py --write

docs: install    ## docs/edits.md and docs/answers.md, from the code
	$(BIN)/python tools/edits_page.py
	$(BIN)/python tools/answers_page.py --write

screenshots: install  ## the pictures in docs/screenshots, made with chromium
	$(BIN)/python tools/screenshots.py

clean:           ## remove what make made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
