# The two commands of a newcomer are `make demo` and `make test`; both set up what they need first.
# After `make setup`, plain `cargo build`, `cargo test` and `cargo run` work as well, with no environment to set.

# Where `cargo build --workspace --all-targets` puts programs. They are run from there after one build with the features that the
# tests have: `cargo run -p` would build every crate again, with those of one package.
BUILT := $(or $(CARGO_TARGET_DIR),target)/debug

.PHONY: help setup build install dist demo test test-all wheel test-wheel test-python test-page bench coverage fuzz soak gpu-check gpu-costs record-expansion record-trees lint generate check-generated

help:
	@echo 'make setup            check the tools and fetch Z3 (once)'
	@echo 'make build            the release binary, target/release/warplog'
	@echo 'make install          cargo install, with the Z3 library beside it: the checkout is not needed afterwards (PREFIX says where)'
	@echo 'make dist             the archive for users, target/dist: program, Z3, manual pages, completions, licences'
	@echo 'make demo             warplog check on kernels that show the main verdicts'
	@echo 'make test             the tests that take minutes: a first answer'
	@echo 'make test-all         all tests; what must pass for a change to land'
	@echo 'make test-page        the HTML page in a browser, if there is one'
	@echo 'make wheel            the Python package with the program inside (needs maturin; ziglang for older systems and WHEEL_TARGET)'
	@echo 'make test-wheel       install it into a bare virtual environment and check a kernel'
	@echo 'make test-python      the tests of the Python package (needs pytest, for scans pyarrow and ray)'
	@echo 'make bench            time and memory per phase, printed and written as CSV'
	@echo 'make papers           the tables of four papers beside ours, docs/papers.md'
	@echo 'make coverage         check the public collections and write docs/coverage.md (fetch them first: scripts/fetch-collections)'
	@echo 'make fuzz             fuzz the extractor for half an hour (scripts/fuzz says more)'
	@echo 'make soak             the proofs of make test-all at length: random kernels against brute force and more'
	@echo 'make gpu-check        run the data set on a GPU under compute-sanitizer (needs CUDA), datasets/compute-sanitizer.csv'
	@echo 'make gpu-costs        read the counters of a GPU for the kernels of datasets/costs (needs CUDA), datasets/costs.csv'
	@echo 'make record-expansion record what clang makes of tests/expansion (needs clang)'
	@echo 'make record-trees     record how clang groups the expressions of the data set (needs clang)'
	@echo 'make lint             format, clippy, dependences between the crates'
	@echo 'make generate         write the generated files anew'
	@echo 'make check-generated  fail if they differ from the committed ones'

setup:
	@scripts/setup

build: setup
	cargo build --release -p warplog

# Where `cargo install` puts programs. The program looks for the library in ../lib from where it is.
PREFIX ?= $(or $(CARGO_INSTALL_ROOT),$(CARGO_HOME),$(HOME)/.cargo)

install: setup
	WARPLOG_RUN_PATH=origin cargo install --locked --path cli --root "$(PREFIX)"
	@mkdir -p "$(PREFIX)/lib"
	@for library in .z3/libz3.so.*; do install -m 644 "$$(realpath "$$library")" "$(PREFIX)/lib/$${library##*/}"; done

dist: setup
	@scripts/dist

demo: build
	@scripts/demo

# What `make test` leaves to `make test-all`, by the names of the files and folders in `*/tests`: the whole data set, comparisons with
# brute force, random programs and a compiler's answers at length, and suites that run the program many times over.
# Tests in documentation comments are left out as well, and that the examples and benchmarks build. docs/testing.md says the same.
LONG := agreement contents copies dataset depth ensures equal explain fuzz gate growth library mends packages phases programs query \
	random sanitizer shapes templates trees values
QUICK := $(filter-out $(LONG),$(sort $(notdir $(patsubst %/main,%,$(basename $(wildcard */tests/*.rs */tests/*/main.rs))))))

test: setup
	cargo test --workspace --lib --bins $(addprefix --test ,$(QUICK))

test-all: setup
	cargo test --workspace

# WARPLOG_BROWSER names a browser, if it is not a Chromium on PATH.
test-page: setup
	cargo build --workspace --all-targets
	@WARPLOG=$(BUILT)/warplog scripts/test-page

bench: setup
	cargo build --release -p warplog-tests --bin bench --bin warplog-under-test
	cargo run --release -p warplog-tests --bin bench

papers: setup
	cargo run --release -p warplog-tests --bin papers

# COLLECTIONS_DIR says where the collections are, if not in target/collections.
coverage: build
	scripts/coverage

fuzz:
	scripts/fuzz

# SOAK_KERNELS and SOAK_SEED say how many random kernels, and from which seed on.
SOAK_KERNELS ?= 100000
SOAK_SEED ?= 10000

soak: setup
	cargo run --release -p warplog-tests --bin soak -- $(SOAK_PARTS) $(SOAK_KERNELS) $(SOAK_SEED)

# Needs a GPU and CUDA's toolkit.
gpu-check: setup
	cargo run --release -p warplog-tests --bin gpu-programs -- target/gpu
	scripts/gpu-check

gpu-costs: setup
	cargo run --release -p warplog-tests --bin gpu-costs -- write target/gpu-costs
	scripts/gpu-costs
	cargo run --release -p warplog-tests --bin gpu-costs -- table target/gpu-costs/out/counters.csv

record-expansion: setup
	cargo run -p warplog-tests --bin compare-preprocessor -- --record tests/expansion

record-trees: setup
	cargo run -p warplog-tests --bin record-trees

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	scripts/check-bans
	scripts/count-kernels --self-test

# Every generated file that is committed, and below the commands that write them: nothing else may write these files.
GENERATED := docs/schema.md docs/facts.dl docs/tables.md docs/library.md docs/rules.md docs/images/first-run.svg

generate: setup
	cargo build --workspace --all-targets
	$(BUILT)/examples/generate-schema
	$(BUILT)/examples/generate-tables
	$(BUILT)/examples/generate-library
	$(BUILT)/examples/generate-rules
	WARPLOG=$(BUILT)/warplog scripts/picture

check-generated: generate
	@scripts/check-drift $(GENERATED)

# The Python package as a wheel in target/wheel; says what is missing where maturin is. WHEEL_TARGET builds it for another processor.
wheel: setup
	@WHEEL_TARGET="$(WHEEL_TARGET)" scripts/wheel

# The wheel in a bare virtual environment, and how long it is to the first finding.
test-wheel: wheel
	@scripts/test-wheel

# The tests of the Python package with the program of WARPLOG, else that of the wheel. What they need and is not installed is skipped.
test-python:
	@scripts/test-python
