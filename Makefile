# Builds the program for this machine's processor under the name that EXE gives, as OpenBench asks for it:
#   make EXE=umbrail-new
# EVALFILE=PATH builds in another network, for tests of networks.
# Everything else is cargo's: see README.md.

EXE ?= umbrail
ifeq ($(OS),Windows_NT)
override EXE := $(patsubst %.exe,%,$(EXE)).exe
PROGRAM := umbrail.exe
else
PROGRAM := umbrail
endif

# Builds of other kinds stay what they are.
FOLDER := $(or $(CARGO_TARGET_DIR),target)/native

NETWORK := $(if $(EVALFILE),UMBRAIL_EVALFILE="$(abspath $(EVALFILE))")

.PHONY: all
all:
	$(NETWORK) RUSTFLAGS="-C target-cpu=native" cargo build --profile dist --locked --bin umbrail --target-dir "$(FOLDER)"
	cp "$(FOLDER)/dist/$(PROGRAM)" "$(EXE)"
