# A thin front door over the CMake presets: `make help` lists what it does.
PRESET ?= openmp
CASE ?= inputs/lid_driven_cavity.json
PREFIX ?= $(HOME)/.local
JOBS ?= $(shell nproc)

generator := $(if $(shell command -v ninja),,-G "Unix Makefiles")
program = build/$(PRESET)/apps/knudsen/knudsen
ctest = ctest --preset $(PRESET) -j $(JOBS)
sources = $(shell find src apps tests perf -name '*.[ch]pp' 2>/dev/null)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: help run schema papers pages test test-long build configure deps deps-run deps-papers deps-dry-run asan debug cuda \
        install format format-check tidy clean distclean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 24
	@echo "  PRESET=openmp|cuda|debug|asan, CASE=..., PREFIX=..., JOBS=..., EXPERIMENTS=... can be given to each."

run: deps-run ## set up, build and run the case inputs/lid_driven_cavity.json
	@$(MAKE) --no-print-directory build/$(PRESET)/configured
	cmake --build --preset $(PRESET) --target knudsen_program
	$(program) run $(CASE)

test: deps ## set up, build and run the tests
	@$(MAKE) --no-print-directory build
	$(ctest) --label-exclude '^long$$'

test-long: deps ## the tests that take minutes
	@$(MAKE) --no-print-directory build
	$(ctest) --label-regex '^long$$'

build: build/$(PRESET)/configured ## build, with the dependencies that are there
	cmake --build --preset $(PRESET)

build/%/configured: CMakePresets.json
	cmake --preset $* $(generator)
	@touch $@

deps: ## install what building and testing need (see deps-dry-run)
	@tools/deps.sh

deps-run:
	@tools/deps.sh --without-tests

deps-papers:
	@tools/deps.sh --without-tests --python

deps-dry-run: ## say what `make deps` would install
	@tools/deps.sh --dry-run

asan: deps ## build and test with the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory build PRESET=asan
	ctest --preset asan -j $(JOBS) --label-exclude '^(long|slow|install)$$'

debug: ## build for a debugger, with indices checked
	@$(MAKE) --no-print-directory build PRESET=debug

cuda: ## build for an NVIDIA GPU
	@$(MAKE) --no-print-directory build PRESET=cuda

install: build ## install the program and the library under PREFIX
	cmake --install build/$(PRESET) --prefix $(PREFIX)

format: ## format the sources in place
	@clang-format -i $(sources)

format-check: ## check that the sources are formatted
	@clang-format --dry-run --Werror $(sources)

schema: build ## remake the published schema and reference page of the case format
	$(program) schema > docs/case.schema.json
	$(program) schema --markdown > docs/case-format.md

papers: deps-papers ## remake the papers' figures and tables in small; with PRESET=cuda in full, on a GPU
	@$(MAKE) --no-print-directory build/$(PRESET)/configured
	cmake --build --preset $(PRESET) --target knudsen_program
	python3 perf/papers run $(EXPERIMENTS) --knudsen $(program) $(if $(filter cuda,$(PRESET)),--size full)

pages: ## remake docs/papers and the README's index from perf/results
	python3 perf/papers pages

tidy: build/openmp/configured ## run clang-tidy over src/ and apps/
	cmake --build --preset openmp --target knudsen_git_commit
	tools/tidy.sh build/openmp $(JOBS)

clean: ## remove what was built, but not the dependencies
	rm -rf build/openmp build/cuda build/debug build/asan

distclean: ## remove what was built, dependencies too
	rm -rf build
