# Short commands for the CMake presets. `make help` lists them.
PRESET ?= openmp
CASE ?= inputs/lid_driven_cavity.json
PREFIX ?= $(HOME)/.local
JOBS ?= $(shell nproc)
SECONDS ?= 3600
SEED ?= $(shell date +%s)
FUZZ_SECONDS ?= 60
CLANG ?= clang

generator := $(if $(shell command -v ninja),,-G "Unix Makefiles")
program = build/$(PRESET)/apps/knudsen/knudsen
ctest = ctest --preset $(PRESET) -j $(JOBS)
sources = $(shell find src apps tests perf -name '*.[ch]pp' 2>/dev/null)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: help run python docs schema papers pages test test-long build configure deps deps-run deps-python deps-docs deps-papers deps-dry-run asan debug cuda \
        gallery attack fuzz install format format-check tidy clean distclean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 24
	@echo "  PRESET=openmp|cuda|debug|asan, CASE=..., PREFIX=..., JOBS=..., EXPERIMENTS=..., SECONDS=..., SEED=... can be given with any target."

run: deps-run ## install what is missing, build, and run inputs/lid_driven_cavity.json (or CASE)
	@$(MAKE) --no-print-directory build/$(PRESET)/configured
	cmake --build --preset $(PRESET) --target knudsen_program
	$(program) run $(CASE)

python: deps-python ## install what is missing, build the Python module, and say how to import it
	cmake --preset $(PRESET) $(generator) -DKNUDSEN_PYTHON=ON
	cmake --build --preset $(PRESET) --target knudsen_python
	@echo "To import knudsen in" $$(sed -n 's/^_Python_EXECUTABLE:INTERNAL=//p' build/$(PRESET)/CMakeCache.txt): \
	  export PYTHONPATH=$(CURDIR)/build/$(PRESET)/python

docs: deps-docs python ## install what is missing, and build the manual as a site
	/usr/bin/python3 -B -m sphinx -E -W --keep-going -b html -c docs/site -q . build/manual
	@echo "The manual: build/manual/docs/site/index.html"

gallery: python ## run the tutorials and examples, and remake their pictures, stated output and notebooks; needs Matplotlib
	PYTHONPATH=$(CURDIR)/build/$(PRESET)/python /usr/bin/python3 -B tools/manual.py gallery
	/usr/bin/python3 -B tools/manual.py notebooks

test: deps ## install what is missing, build, and run the tests
	@$(MAKE) --no-print-directory build
	$(ctest) --label-exclude '^long$$'

test-long: deps ## install what is missing, build, and run the long tests (minutes each)
	@$(MAKE) --no-print-directory build
	$(ctest) --label-regex '^long$$'

build: build/$(PRESET)/configured ## build everything; install no packages
	cmake --build --preset $(PRESET)

build/%/configured: CMakePresets.json
	cmake --preset $* $(generator)
	@touch $@

deps: ## install the packages that building and testing need
	@tools/deps.sh

deps-run:
	@tools/deps.sh --without-tests

deps-python:
	@tools/deps.sh --without-tests --module --pictures

deps-docs:
	@tools/deps.sh --without-tests --module --docs

deps-papers:
	@tools/deps.sh --without-tests --python

deps-dry-run: ## list what `make deps` would install, with sizes
	@tools/deps.sh --dry-run

asan: deps ## build and test with the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory build PRESET=asan
	ctest --preset asan -j $(JOBS) --label-exclude '^(long|slow|install)$$'

attack: build ## attack the program for an hour, or SECONDS=..., with the seed of the clock, or SEED=...
	nice python3 -B tests/attack/attack.py $(program) --seconds $(SECONDS) --seed $(SEED) --keep build/attack

fuzz: build ## run each fuzzer of a file reader for a minute, or FUZZ_SECONDS=...; needs clang
	cmake -S . -B build/fuzz $(generator) -DCMAKE_C_COMPILER=$(CLANG) -DCMAKE_CXX_COMPILER=$(subst clang,clang++,$(CLANG)) \
	  -DKNUDSEN_FUZZ=ON -DKNUDSEN_TESTS=OFF -DKNUDSEN_PRECOMPILE=OFF
	cmake --build build/fuzz --target fuzz
	python3 -B tests/attack/attack.py $(program) --seeds build/fuzz/seeds
	tests/attack/fuzz/run.sh build/fuzz $(FUZZ_SECONDS)

debug: ## build for a debugger, with bounds checks
	@$(MAKE) --no-print-directory build PRESET=debug

cuda: ## build for an NVIDIA GPU
	@$(MAKE) --no-print-directory build PRESET=cuda

install: build ## install the program and the library under PREFIX
	cmake --install build/$(PRESET) --prefix $(PREFIX)

format: ## format the sources in place
	@clang-format -i $(sources)

format-check: ## check that the sources are formatted
	@clang-format --dry-run --Werror $(sources)

schema: build ## regenerate docs/case.schema.json, docs/case-format.md and the types for Python
	$(program) schema > docs/case.schema.json
	$(program) schema --markdown > docs/case-format.md
	python3 -B tools/case_stub.py docs/case.schema.json > apps/python/knudsen/_keys.pyi

papers: deps-papers ## rerun the papers' figures and tables, small variants; full size on a GPU with PRESET=cuda
	@$(MAKE) --no-print-directory build/$(PRESET)/configured
	cmake --build --preset $(PRESET) --target knudsen_program
	python3 perf/papers run $(EXPERIMENTS) --knudsen $(program) $(if $(filter cuda,$(PRESET)),--size full)

pages: ## regenerate docs/papers, docs/validation and the README's table from perf/results
	python3 perf/papers pages

tidy: ## run clang-tidy over src/ and apps/
	@test -f build/tidy/build.ninja || cmake --preset openmp -B build/tidy -G Ninja -DKNUDSEN_UNITY=OFF \
	  -DKNUDSEN_PRECOMPILE=OFF -DKNUDSEN_TESTS=OFF
	cmake --build build/tidy --target knudsen_git_commit
	tools/tidy.sh build/tidy $(JOBS)

clean: ## remove all builds, keep the dependencies built in build/deps
	rm -rf build/openmp build/cuda build/debug build/asan build/fuzz build/attack

distclean: ## remove all builds and build/deps
	rm -rf build
