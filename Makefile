# SPDX-License-Identifier: Apache-2.0
# The front door. Each target installs what it needs, so that each can be the first command.

PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: demo check check-all bench install

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

install:
	@scripts/setup build
	@scripts/install "$(PREFIX)" "$(DESTDIR)"
