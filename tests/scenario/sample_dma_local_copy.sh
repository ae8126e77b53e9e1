#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dma_local_copy, built against an installed package alone: what it copies, refuses and says (TAP).
# Usage: sample_dma_local_copy.sh SOURCE_ROOT BUILD_ROOT SANITIZE
set -u

# shellcheck source=tests/scenario/samples.sh
. "$(dirname "$0")/samples.sh"

must_build build_flavour host dma_local_copy
copy=$dir/bin/host/dma_local_copy

# Run the sample: exit code into $code, output into the files out and err.
run() {
	"$copy" "$@" >out 2>err
	code=$?
}

# The sample fails with this exit code and these words, and leaves no file behind.
refused() {
	wanted=$1
	words=$2
	shift 2
	run "$@"
	[ "$code" -eq "$wanted" ] && grep -qF -- "$words" err && no_leftover
}

copies() { # copies FILE [ARGUMENT...]: the copy is the same, one line says so with the right digest
	file=$1
	shift
	rm -f work/copy
	run "$@" "$file" work/copy
	[ "$code" -eq 0 ] && cmp "$file" work/copy && [ "$(wc -l <out)" -eq 1 ] && [ ! -s err ] &&
		grep -qF "sha256 $(sha256_of "$file") " out && no_leftover
}

copies_random_bytes() {
	head -c "$1" /dev/urandom >file
	shift
	copies file "$@"
}

MIB=1048576
for size in 0 1 $((2 * MIB - 1)) $((2 * MIB)) $((2 * MIB + 1)) $((40 * MIB + 7)); do
	check "copies a file of $size bytes" copies_random_bytes "$size"
done
check 'says how many windows it took' grep -q ' in 21 windows of 2 MiB by 0000:03:00.0' out

small_windows() {
	SOFTDOCA_MAX_BUF_SIZE=4096 copies_random_bytes 1000000 && grep -q '245 windows of 4 KiB' out
}
check 'keeps its windows within what the device allows' small_windows
unlimited() {
	SOFTDOCA_DEVICE=unlimited copies_random_bytes $((5 * MIB)) && grep -q ' 3 windows of 2 MiB' out
}
check 'keeps its windows bounded where the device does not' unlimited
short_queue() {
	SOFTDOCA_QUEUE_DEPTH=1 copies_random_bytes $((9 * MIB))
}
check 'waits while the queue is full' short_queue
other_device() {
	for option in -d -p --pci-addr; do
		copies_random_bytes 4096 $option 0000:b1:00.0 && grep -q ' by 0000:b1:00.0' out || return 1
	done
}
check 'copies with the device that is asked for' other_device

bench() {
	head -c $((6 * MIB)) /dev/urandom >file
	run --bench file work/copy
	[ "$code" -eq 0 ] && cmp file work/copy && [ "$(wc -l <out)" -eq 5 ] &&
		grep -q '^copied file (6,291,456 bytes) in 3 windows of 2 MiB$' out &&
		grep -q '^  DMA .* GB/s ' out && grep -q '^  memcpy .* GB/s ' out &&
		grep -q "^  sha256  *$(sha256_of file) " out
}
check 'measures DMA and memcpy on the same windows' bench
empty_bench() {
	: >file
	run --bench file work/copy
	[ "$code" -eq 0 ] && grep -q 'nothing to measure' out
}
check 'measures nothing in an empty file' empty_bench

# --- what is there already ----------------------------------------------------------------------
replaces() {
	echo old >work/copy && chmod 640 work/copy && echo new >file
	run file work/copy
	[ "$code" -eq 0 ] && cmp file work/copy && [ "$(stat -c %a work/copy)" = 640 ]
}
check 'replaces a destination and keeps its permissions' replaces
follows() {
	echo old >work/target && ln -sf target work/link && echo new >file
	run file work/link
	[ "$code" -eq 0 ] && [ -L work/link ] && cmp file work/target
}
check 'writes what a symbolic link names' follows

# --- what it refuses ----------------------------------------------------------------------------
echo text >file
check 'refuses a missing source' refused 1 'No such file' missing work/new
check 'refuses a source that is a directory' refused 1 'is a directory' work work/new
mkfifo pipe
check 'refuses a source that is a pipe' refused 1 'not a regular file' pipe work/new
check 'refuses a destination that is a directory' refused 1 'is a directory' file work
check 'refuses a destination that is a device' refused 1 'not a regular file' file /dev/null
check 'refuses a destination in a missing directory' refused 1 'No such file' file missing/new
check 'refuses a destination that is no name' refused 1 'names no file' file ''
check 'refuses to copy a file onto itself' refused 1 'same file' file ./file
ln file work/hard
check 'refuses to copy a file onto its hard link' refused 1 'same file' file work/hard
ln -s nothing work/dangling
check 'refuses a link to nothing' refused 1 'link to nothing' file work/dangling
copies_itself() {
	run && [ "$code" -eq 0 ] && grep -qF "sha256 $(sha256_of "$copy") " out && [ ! -e /tmp/dma_local_copy.trial ]
}
check 'copies itself when it is given no names, and keeps no copy' copies_itself
check 'refuses a wrong option' refused 2 "--help" --wrong file work/new
check 'refuses one name' refused 2 'wants a SOURCE and a DESTINATION' file
check 'refuses a device that is not there' refused 1 'no device at PCI address 0000:ff:00.0' \
	-d 0000:ff:00.0 file work/new
check 'refuses a device name that is no address' refused 1 'cannot look for the device' \
	-d nonsense file work/new
without_dma() {
	SOFTDOCA_DEVICE=$1 refused 1 'no device can copy by DMA' file work/new
}
check 'refuses a machine whose card cannot do DMA' without_dma connectx7
check 'refuses a machine without a card' without_dma none

file_too_large() {
	head -c $((3 * MIB)) /dev/urandom >big && echo old >work/kept
	(ulimit -f 2048 && refused 1 'File too large' big work/kept) && [ "$(cat work/kept)" = old ]
}
check 'leaves the destination alone when it cannot be written whole' file_too_large
# A copy in windows of one byte takes long: act on it once it has begun, then take its exit code.
begin() {
	rm -f work/copy
	head -c "$MIB" /dev/urandom >file
	SOFTDOCA_MAX_BUF_SIZE=1 "$copy" file work/copy >out 2>err &
	pid=$!
	while no_leftover && kill -0 "$pid"; do :; done
	kill -STOP "$pid"
}
end() {
	kill -CONT "$pid"
	wait "$pid"
	code=$?
	[ ! -e work/copy ] && no_leftover
}
changes_meanwhile() {
	begin && echo more >>file && end && [ "$code" -eq 1 ] && grep -q 'changed while' err
}
check 'refuses a source that changes meanwhile' changes_meanwhile
interrupted() {
	begin && kill -TERM "$pid" && end && [ "$code" -eq 143 ] && grep -q 'interrupted' err
}
check 'leaves nothing behind when it is interrupted' interrupted

no_room_for_words() {
	"$copy" file work/copy >/dev/full 2>err
	[ $? -eq 1 ] && grep -q 'standard output' err
}
check 'fails when its report cannot be written' no_room_for_words

help() {
	run --help
	[ "$code" -eq 0 ] && grep -q '^Usage: dma_local_copy ' out && [ ! -s err ] &&
		! grep -q '.\{81\}' out && cp "$copy" named && ./named -h | grep -q '^Usage: named '
}
check 'explains itself' help

# --- permissions, as somebody who is not root ---------------------------------------------------
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}
forbidden() { # forbidden WORDS SOURCE DESTINATION
	as_user "$copy" "$2" "$3" >out 2>err
	[ $? -eq 1 ] && grep -qF "$1" err && grep -q 'Permission denied' err
}
echo secret >secret && chmod 000 secret
check 'refuses a source that it may not read' forbidden 'cannot open source' secret work/new
echo old >work/locked && chmod 444 work/locked
check 'refuses a destination that it may not write' forbidden 'cannot write' file work/locked
mkdir closed && chmod 555 closed
check 'refuses a directory that it may not write' forbidden 'cannot create' file closed/new

# --- a terminal ---------------------------------------------------------------------------------
on_terminal() {
	head -c $((4 * MIB)) /dev/urandom >file
	TERM=xterm script -qec "$copy file work/copy" /dev/null >out 2>err </dev/null &&
		grep -q 'copying .*\[####*\] 100%' out && grep -q '^copied file ' out
}
check 'draws a progress bar on a terminal' on_terminal

echo "1..$num"
