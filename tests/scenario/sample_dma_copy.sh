#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The application dma_copy: what it copies between two processes, refuses and says (TAP).
# Usage: sample_dma_copy.sh SOURCE_ROOT BUILD_ROOT SANITIZE
set -u

# shellcheck source=tests/scenario/samples.sh
. "$(dirname "$0")/samples.sh"

must_build build_flavour host dma_copy
must_build build_flavour dpu dma_copy
export SOFTDOCA_CONNECT_TIMEOUT=20
name=test-$$ # of the server: the machine may run this test twice

# --- the halves -----------------------------------------------------------------------------------
host=
dpu=
under= # what the next half is started under
start() { # host|dpu ARGUMENT...; sets $host or $dpu, which is what timeout(1) runs in
	half=$1
	shift
	# shellcheck disable=SC2086
	SOFTDOCA_ROLE=$half timeout 60 $under "$dir/bin/$half/dma_copy" -n "$name" "$@" >"$half.out" 2>"$half.err" &
	eval "$half=\$!"
}

end() {
	wait "$host"
	host_code=$?
	wait "$dpu"
	dpu_code=$?
}

both_succeed() {
	[ "$host_code" -eq 0 ] && [ "$dpu_code" -eq 0 ] && [ ! -s host.err ] && [ ! -s dpu.err ] &&
		[ "$(wc -l <host.out)" -eq 1 ] && no_leftover
}

copies_file() { # host|dpu: that half sends the file
	rm -f work/copy
	if [ "$1" = host ]; then
		start dpu --receive work/copy && start host -s file
	else
		start dpu -s file && start host --receive work/copy
	fi
	end
	both_succeed && cmp file work/copy && grep -qF "sha256 $(sha256_of file) of both" host.out &&
		grep -qF "sha256 $(sha256_of file) of both" dpu.out
}

copies() { # host|dpu BYTES
	head -c "$2" /dev/urandom >file
	copies_file "$1"
}

MIB=1048576
for sender in host dpu; do
	for size in 0 1 4096 $((2 * MIB)) $((2 * MIB + 1)) $((5 * MIB + 3)); do
		check "copies $size bytes of the $sender half" copies "$sender" "$size"
	done
	check "copies more windows than the ring has of the $sender half" \
		copies "$sender" $((40 * MIB + 7))
done
check 'says how many windows it took' grep -q ' in 21 windows of 2 MiB' dpu.out
small_windows() {
	SOFTDOCA_MAX_BUF_SIZE=4096 copies "$1" 1000000 && grep -q '245 windows of 4 KiB' host.out
}
check 'keeps its windows within what the device of a receiver allows' small_windows host
check 'keeps its windows within what the device of a sender allows' small_windows dpu

mapped() {
	DOCA_LOG_LEVEL=debug copies "$1" 100000
	grep -q 'imported from process .*: mapped' dpu.err
}
check 'hands memory over that the other half maps to read' mapped host
check 'hands memory over that the other half maps to write' mapped dpu
other_way() {
	SOFTDOCA_REACH=$way copies "$1" $((3 * MIB))
}
# Not every system permits the next best way.
way=cma
SOFTDOCA_REACH=cma copies host 1 >/dev/null 2>&1 || way=nbd
check 'copies what it may not map from the host half' other_way host
check 'copies what it may not map from the DPU half' other_way dpu

bench() {
	head -c "$1" /dev/urandom >file
	start dpu --receive work/copy --bench && start host -s file
	end
	both_succeed && cmp file work/copy && [ "$(wc -l <dpu.out)" -eq 5 ] &&
		grep -q '^received work/copy (.* bytes) in .* windows of ' dpu.out &&
		grep -q '^  DMA .* GB/s ' dpu.out && grep -q '^  memcpy .* GB/s ' dpu.out &&
		grep -q "^  sha256  *$(sha256_of file) " dpu.out
}
check 'measures DMA and memcpy on what comes' bench $((6 * MIB))
long_bench() {
	SOFTDOCA_MAX_BUF_SIZE=4096 bench $((64 * 4096 * 2 + 5))
}
check 'measures ring after ring' long_bench
empty_bench() {
	: >file
	start dpu --receive work/copy --bench && start host -s file
	end
	both_succeed && grep -q 'nothing to measure' dpu.out
}
check 'measures nothing in an empty file' empty_bench

late() { # the halves may start in either order
	head -c 5000 /dev/urandom >file
	rm -f work/copy
	start host -s file && start dpu --receive work/copy
	end
	both_succeed && cmp file work/copy
}
check 'waits for a DPU half that starts later' late
named() {
	rm -f work/copy work/other
	head -c 5000 /dev/urandom >file && head -c 6000 /dev/urandom >file2
	SOFTDOCA_ROLE=dpu "$dir/bin/dpu/dma_copy" -n "other-$name" --receive work/other >other.out 2>&1 &
	other=$!
	start dpu --receive work/copy && SOFTDOCA_ROLE=host "$dir/bin/host/dma_copy" -n "other-$name" -s file2 &&
		start host -s file
	end
	wait "$other" && both_succeed && cmp file work/copy && cmp file2 work/other
}
check 'serves two pairs at once under two names' named

# --- deaths -----------------------------------------------------------------------------------------
# Windows of a byte take long: act on the copy once it has begun.
begin_slow() { # host|dpu: the sender
	head -c $((8 * MIB)) /dev/urandom >file
	echo old >work/copy
	export SOFTDOCA_MAX_BUF_SIZE=1
	if [ "$1" = host ]; then
		start dpu --receive work/copy && start host -s file
	else
		start dpu -s file && start host --receive work/copy
	fi
	unset SOFTDOCA_MAX_BUF_SIZE
	while [ -z "$(find work -name '.*.*' -size +0)" ]; do
		kill -0 "$host" && kill -0 "$dpu" || return 1
	done
}

# The one that is left ends soon, says why, and leaves what was there before.
dies() { # SENDER VICTIM LEFT
	begin_slow "$1" || return 1
	eval "pkill -KILL -P \"\$$2\""
	start=$(date +%s)
	eval "wait \"\$$3\""
	code=$?
	end_of_it=$(date +%s)
	end
	[ "$code" -eq 1 ] && [ $((end_of_it - start)) -le 2 ] && [ -s "$3.err" ] &&
		[ "$(cat work/copy)" = old ] || return 1
	if [ "$1" = "$2" ]; then
		no_leftover
	else # the receiver was killed, and could not tidy up
		find work -name '.*.*' -delete
	fi
}
check 'a receiving DPU half ends when the host half is killed' dies host host dpu
check 'a sending DPU half ends when the host half is killed' dies dpu host dpu
check 'a sending host half ends when the DPU half is killed' dies host dpu host
check 'says that it is gone' grep -q 'the DPU half is gone' host.err
check 'a receiving host half ends when the DPU half is killed' dies dpu dpu host
interrupted() { # VICTIM
	begin_slow host || return 1
	eval "pkill -TERM -P \"\$$1\""
	end
	[ "$host_code" -ne 0 ] && [ "$dpu_code" -ne 0 ] && [ "$(cat work/copy)" = old ] &&
		no_leftover
}
check 'both end when the host half is interrupted' interrupted host
check 'both end when the DPU half is interrupted' interrupted dpu
alone() {
	SOFTDOCA_CONNECT_TIMEOUT=0.2 start host -s file
	wait "$host"
	[ $? -eq 1 ] && grep -q 'no DPU half is there' host.err
}
check 'a host half without a DPU half gives up in the end' alone

# --- DOCA's options ---------------------------------------------------------------------------------
as_in_doca() { # host|dpu: that half has the file
	head -c 300001 /dev/urandom >file
	rm -f work/copy
	if [ "$1" = host ]; then
		start dpu -p 03:00.0 -r b1:00.0 -f work/copy && start host -p b1:00.0 -f file
	else
		start dpu --pci-addr 03:00.0 --rep-pci b1:00.0 --file file &&
			start host --pci-addr b1:00.0 --file work/copy
	fi
	end
	both_succeed && cmp file work/copy
}
for sender in host dpu; do
	check "sends the file of -f where it is there: in the $sender half" as_in_doca $sender
done

# --- what is wrong ----------------------------------------------------------------------------------
both_fail() { # WORDS-OF-HOST WORDS-OF-DPU
	end
	[ "$host_code" -eq 1 ] && [ "$dpu_code" -eq 1 ] && grep -qF -- "$1" host.err &&
		grep -qF -- "$2" dpu.err && no_leftover
}
disagree() { # OPTION WORD FILE-OF-DPU FILE-OF-HOST
	start dpu "$1" "$3" && start host "$1" "$4"
	both_fail "" "both want to $2"
}
check 'refuses two senders' disagree -s send file file
check 'refuses two receivers' disagree --receive receive work/one work/two
missing() {
	start dpu --receive work/new && start host -s missing
	both_fail 'cannot look at missing' 'the host half has failed'
}
check 'tells the other half that it has failed' missing
no_place() {
	start dpu --receive missing/new && start host -s file
	both_fail 'the DPU half has failed' 'cannot create'
}
check 'fails when the copy has no place' no_place
too_large() {
	head -c $((3 * MIB)) /dev/urandom >file && echo old >work/copy
	under="prlimit --fsize=$MIB"
	start dpu --receive work/copy
	under=
	start host -s file
	both_fail 'the DPU half has failed' 'File too large' && [ "$(cat work/copy)" = old ]
}
check 'leaves the destination alone when it cannot be written whole' too_large
changes() {
	begin_slow host && echo more >>file
	truncate -s 100 file
	both_fail 'changed while' 'the host half has failed' && [ "$(cat work/copy)" = old ]
}
check 'refuses a file that changes meanwhile' changes
echo text >file
wrong_use() { # host|dpu WORDS ARGUMENT...
	half=$1
	words=$2
	shift 2
	SOFTDOCA_ROLE=$half "$dir/bin/$half/dma_copy" "$@" >out 2>err
	[ $? -eq 2 ] && grep -qF -- "$words" err
}
for half in host dpu; do
	check "refuses a $half half without a file" wrong_use $half 'to send or a file to receive'
	check "refuses a $half half with two files" \
		wrong_use $half 'to send or a file to receive' -s file --receive work/new
	check "refuses a $half half with -f and another file" \
		wrong_use $half 'to send or a file to receive' -f file --receive work/new
	check "refuses a $half half with a wrong option" wrong_use $half --help --wrong
done
check 'refuses to measure what it sends' wrong_use dpu '--bench wants --receive' -s file -b
check 'knows no --bench in the host half' wrong_use host --help --receive work/new --bench
no_device() { # ROLE PROGRAM WORDS
	SOFTDOCA_ROLE=$1 "$dir/bin/$2/dma_copy" -s file >out 2>err
	[ $? -eq 1 ] && grep -qF "$3" err
}
check 'refuses to be the DPU half on the host' no_device host dpu 'represent'
no_rep() {
	SOFTDOCA_ROLE=dpu "$dir/bin/dpu/dma_copy" -s file --rep-pci 0000:ff:00.0 >out 2>err
	[ $? -eq 1 ] && grep -q 'no function at PCI address 0000:ff:00.0' err
}
check "refuses a function of the host's that is not there" no_rep

on_terminal() {
	head -c $((4 * MIB)) /dev/urandom >file
	start dpu -s file
	SOFTDOCA_ROLE=host TERM=xterm script -qec "$dir/bin/host/dma_copy -n $name --receive work/copy" /dev/null \
		>host.out 2>host.err </dev/null
	wait "$dpu" && grep -q 'receiving .*\[####*\] 100%' host.out && cmp file work/copy
}
check 'draws a progress bar on a terminal' on_terminal

echo "1..$num"
