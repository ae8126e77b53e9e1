#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The NBD clients that a distribution has, at memory that a process exports (TAP).
# Usage: nbd_clients.sh EXPORT_MEMORY
set -u

export_memory=$(realpath "$1")

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in nbdinfo nbdcopy; do
	command -v $tool >/dev/null || skip_all "$tool is not installed (libnbd-bin)"
done
command -v qemu-img >/dev/null || skip_all 'qemu-img is not installed (qemu-utils)'

dir=$(mktemp -d)
trap 'exec 3>&-; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mkdir run

num=0
check() { # check SENTENCE COMMAND...: the command succeeds
	sentence=$1
	shift
	num=$((num + 1))
	if "$@" >check.log 2>&1; then
		echo "ok $num - $sentence"
	else
		echo "not ok $num - $sentence"
		sed 's/^/# /' check.log
	fi
}

# Memory with random bytes, its exporter's input held open as descriptor 3: $uri leads there.
begin() { # begin BYTES ro|rw
	head -c "$1" /dev/urandom >memory && cp memory before
	rm -f input output && mkfifo input output || exit 1
	"$export_memory" "$dir/run" memory "$2" <input >output 3>&- &
	exporter=$!
	exec 3>input
	read -r name socket <output
	uri="nbd+unix:///$name?socket=$socket"
}

# What was in the memory at last is in the file.
end() {
	exec 3>&-
	wait "$exporter"
}

MIB=1048576

tells_size() {
	[ "$(nbdinfo --size "$uri")" -eq $((5 * MIB + 512)) ]
}
tells_right() {
	nbdinfo --is read-only "$uri"
}
copies_out() {
	nbdcopy "$uri" copy && cmp before copy
}
converts_out() {
	qemu-img convert -f raw -O raw "$uri" converted && cmp before converted
}
refuses_write() {
	! nbdcopy before "$uri" && ! qemu-img convert -n -f raw -O raw other "$uri"
}
other_name() { # a digit changed: of the secret, or of the id
	first=$(printf %s "$name" | cut -c "$1")
	[ "$first" = 0 ] && other=1 || other=0
	name=$(printf %s "$name" | sed "s/./$other/$1")
	nbdinfo "nbd+unix:///$name?socket=$socket" && return 1
	grep -q "$2" check.log
}
lists_nothing() {
	! nbdinfo --list "nbd+unix:///?socket=$socket"
}

begin $((5 * MIB + 512)) ro
head -c $((5 * MIB + 512)) /dev/urandom >other
check 'nbdinfo sees the size' tells_size
check 'nbdinfo sees that it may only be read' tells_right
check 'nbdcopy reads all of it' copies_out
check 'qemu-img reads all of it' converts_out
check 'no client writes what may only be read' refuses_write
check 'a wrong secret is refused as such' other_name 97 'not supported'
check 'an unknown id is refused as such' other_name 1 'No such file'
check 'no client lists what is exported' lists_nothing
check 'the exporter ends well' end
check 'and its memory is as it was' cmp before memory

is_writable() {
	! nbdinfo --is read-only "$uri" && nbdinfo --can multi-conn "$uri"
}
copies_in() {
	nbdcopy --flush other "$uri" && nbdcopy "$uri" copy && cmp other copy
}
converts_in() {
	qemu-img convert -n -f raw -O raw before "$uri" && nbdcopy "$uri" copy && cmp before copy
}
writes_beside() { # 4 connections, requests of 4 KiB, 16 at a time
	nbdcopy -C 4 -R 16 --request-size=4096 other "$uri"
}

begin $((5 * MIB + 512)) rw
check 'nbdinfo sees that it may be written' is_writable
check 'nbdcopy writes all of it' copies_in
check 'qemu-img writes all of it' converts_in
check 'four connections write at once' writes_beside
check 'the exporter of memory that was written ends well' end
check 'and its memory is what was written last' cmp other memory

killed() {
	begin 4096 ro
	kill -KILL "$exporter"
	end 2>/dev/null
	begin 4096 ro
	tells_other_size && end && [ -z "$(ls run)" ]
}
tells_other_size() {
	[ "$(nbdinfo --size "$uri")" -eq 4096 ]
}
check 'what a killed exporter left in the directory goes with the next' killed

echo "1..$num"
