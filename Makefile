# SPDX-License-Identifier: Apache-2.0
# The front door. Each target installs what it needs, so that each can be the first command.

LAYOUT ?= softdoca
PREFIX ?= $(if $(filter mellanox,$(LAYOUT)),/opt/mellanox/doca,/usr/local)
DESTDIR ?=

.PHONY: demo check check-all bench install uninstall

demo: # FILE=path copies that file
	@scripts/setup build
	@scripts/demo $${FILE:+"$$FILE"}

check:
	@scripts/setup check
	@scripts/check

check-all:
	@scripts/setup check-all
	@scripts/check-all

bench: # no part of a check: it measures time
	@scripts/setup build
	@scripts/bench

# By the environment, as a directory may have quotes and spaces.
install uninstall: export PREFIX := $(PREFIX)
install uninstall: export DESTDIR := $(DESTDIR)
install uninstall: export LAYOUT := $(LAYOUT)

install: # LAYOUT=mellanox: the tree of a DOCA, below /opt/mellanox/doca
	@scripts/setup build
	@scripts/install "$$PREFIX" "$$DESTDIR" "$$LAYOUT"

uninstall: # what install installed, with the same PREFIX, DESTDIR and LAYOUT
	@scripts/uninstall "$$PREFIX" "$$DESTDIR" "$$LAYOUT"
