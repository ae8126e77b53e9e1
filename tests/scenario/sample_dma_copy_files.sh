#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dma_copy_host and dma_copy_dpu, a pair over files: what it copies, refuses and says (TAP).
# Usage: sample_dma_copy_files.sh SOURCE_ROOT BUILD_ROOT SANITIZE
set -u

# shellcheck source=tests/scenario/samples.sh
. "$(dirname "$0")/samples.sh"

must_build build_flavour host dma_copy_host
must_build build_flavour dpu dma_copy_dpu
host_program=$dir/bin/host/dma_copy_host
dpu_program=$dir/bin/dpu/dma_copy_dpu
mkfifo enter

# --- the halves -----------------------------------------------------------------------------------
# The host half, up to where it waits for Enter; descriptor 3 is the keyboard.
begin() { # ARGUMENT...
	rm -f dma_copy.* work/copy
	SOFTDOCA_ROLE=host timeout 60 "$host_program" "$@" <enter >host.out 2>host.err &
	host=$!
	exec 3>enter
	while [ ! -e dma_copy.descriptor ]; do
		kill -0 "$host" || return 1
	done
}

run_dpu() { # ARGUMENT...
	SOFTDOCA_ROLE=dpu timeout 60 "$dpu_program" "$@" >dpu.out 2>dpu.err
	code=$?
}

end() {
	echo >&3
	exec 3>&-
	wait "$host"
	host_code=$?
}

# Both succeed, and nothing is left of the secret.
ends_well() {
	end
	[ "$code" -eq 0 ] && [ "$host_code" -eq 0 ] && [ ! -s host.err ] && [ ! -s dpu.err ] &&
		[ ! -e dma_copy.descriptor ] && [ ! -e dma_copy.info ]
}

copies_text() { # TEXT
	begin -t "$1" && run_dpu && ends_well && grep -qxF "text: $1" dpu.out
}

copies() { # BYTES
	head -c "$1" /dev/urandom >file
	begin -f file && run_dpu -o work/copy && ends_well && cmp file work/copy && no_leftover &&
		grep -qF "sha256 $(sha256_of file) of both" dpu.out
}

check 'copies a text' copies_text 'from one process to the other'
check 'copies a text of its own when it is told none' begin
run_dpu
check 'prints that text' grep -q '^text: .*host half' dpu.out
check 'ends when Enter is pressed' ends_well
MIB=1048576
for size in 0 1 4096 $((2 * MIB)) $((2 * MIB + 1)) $((5 * MIB + 3)); do
	check "copies a file of $size bytes" copies "$size"
done
check 'says how many windows it took' grep -q ' in 3 windows of 2 MiB by 0000:03:00.0' dpu.out
rings() {
	SOFTDOCA_MAX_BUF_SIZE=4096 copies 300001 && grep -q ' in 74 windows of 4 KiB' dpu.out
}
check 'copies more windows than it has' rings

secret() {
	begin && [ "$(stat -c %a dma_copy.descriptor)" = 600 ] &&
		[ "$(stat -c %a dma_copy.info)" = 644 ]
	found=$?
	run_dpu
	ends_well && [ $found -eq 0 ]
}
check 'keeps the descriptor for its owner' secret
replaced() {
	rm -f dma_copy.* && echo old >dma_copy.descriptor && chmod 644 dma_copy.descriptor
	SOFTDOCA_ROLE=host "$host_program" -d dma_copy.descriptor -b info <enter >host.out 2>&1 &
	host=$!
	exec 3>enter
	while [ "$(stat -c %a dma_copy.descriptor)" != 600 ]; do
		kill -0 "$host" || return 1
	done
	run_dpu -b info
	ends_well
}
check 'replaces an old descriptor that others could read' replaced

twice() {
	begin && run_dpu && [ "$code" -eq 0 ] && run_dpu && ends_well
}
check 'serves more than one DPU half' twice

# --- under the tool ---------------------------------------------------------------------------------
softdoca=$(find "$dir/root" -path '*/bin/softdoca')
pair() { # HOST-COMMAND... -- DPU-COMMAND...
	rm -f dma_copy.* work/copy
	timeout 60 "$softdoca" pair --wait dma_copy.info --wait dma_copy.descriptor -- "$@" \
		>pair.out 2>pair.err
}
paired() {
	head -c 300001 /dev/urandom >file
	pair "$host_program" -f file -- "$dpu_program" -o work/copy && cmp file work/copy &&
		grep -q 'host.*exported 300,001 bytes' pair.out &&
		grep -q 'dpu.*copied 300,001 bytes' pair.out && [ ! -s pair.err ]
}
check 'runs under softdoca pair' paired
pair_fails() {
	pair "$host_program" -- "$dpu_program" -o missing/copy
	[ $? -eq 1 ] && grep -q 'dpu.*cannot create' pair.err && [ ! -e dma_copy.descriptor ]
}
check 'ends the host half when the DPU half fails under softdoca pair' pair_fails
ordinary() {
	head -c 300001 /dev/urandom >file
	pair "$host_program" -f file -- env DOCA_LOG_LEVEL=debug "$dpu_program" -o work/copy &&
		cmp file work/copy && grep -q 'imported from process .*: \(cma\|nbd\)' pair.err
}
check 'reaches ordinary memory without a mapping' ordinary
shared_heap() {
	pair "$softdoca" run --shared-heap "$host_program" -f file -- \
		env DOCA_LOG_LEVEL=debug "$dpu_program" -o work/copy && cmp file work/copy &&
		grep -q 'imported from process .*: mapped' pair.err
}
# What is preloaded must not come before a sanitizer.
[ "$sanitize" != none ] || check 'maps the memory of a shared heap' shared_heap

# --- deaths -----------------------------------------------------------------------------------------
# Windows of a byte take long: act on the copy once the memory is there.
begin_slow() {
	head -c $((4 * MIB)) /dev/urandom >file
	begin -f file || return 1
	: >dpu.err # what the half before said is not waited for
	DOCA_LOG_LEVEL=debug SOFTDOCA_ROLE=dpu SOFTDOCA_MAX_BUF_SIZE=1 timeout 60 "$dpu_program" \
		-o work/copy >dpu.out 2>dpu.err &
	dpu=$!
	until grep -q 'imported from process' dpu.err; do
		kill -0 "$dpu" || return 1
	done
}
seconds() {
	date +%s
}
host_dies() {
	begin_slow || return 1
	pkill -KILL -P "$host"
	start=$(seconds)
	wait "$dpu"
	code=$?
	exec 3>&-
	wait "$host"
	[ "$code" -eq 1 ] && [ -s dpu.err ] && [ $(($(seconds) - start)) -le 2 ] &&
		[ ! -e work/copy ] && no_leftover
}
check 'fails within 2 seconds when the host half is killed' host_dies
check 'says what became of the copy' grep -q 'cannot copy a window by DMA' dpu.err
dpu_dies() {
	begin_slow || return 1
	pkill -KILL -P "$dpu"
	wait "$dpu"
	rm -f work/.* 2>/dev/null
	[ ! -e work/copy ] && run_dpu -o work/copy && ends_well && cmp file work/copy
}
check 'serves another DPU half when one is killed' dpu_dies
interrupted() {
	begin && pkill -TERM -P "$host"
	exec 3>&-
	wait "$host"
	[ $? -eq 143 ] && grep -q interrupted host.err && [ ! -e dma_copy.descriptor ]
}
check 'removes the descriptor when the host half is interrupted' interrupted
no_keyboard() {
	"$host_program" </dev/null >host.out 2>host.err
	[ $? -eq 1 ] && grep -q 'nobody can press Enter' host.err && [ ! -e dma_copy.descriptor ]
}
check 'fails where nobody can press Enter' no_keyboard

# --- what is wrong --------------------------------------------------------------------------------
refused() { # host|dpu EXIT-CODE WORDS ARGUMENT...
	half=$1
	wanted=$2
	words=$3
	shift 3
	SOFTDOCA_ROLE=$half "$dir/bin/$half/dma_copy_$half" "$@" </dev/null >out 2>err
	[ $? -eq "$wanted" ] && grep -qF -- "$words" err
}
check 'refuses a text and a file at once' refused host 2 'a text or a file' -t a -f file
check 'refuses a host half with a wrong option' refused host 2 '--help' --wrong
check 'refuses a DPU half with a wrong option' refused dpu 2 '--help' --wrong
check 'refuses a file that is not there' refused host 1 'No such file' -f missing
check 'refuses a host half whose device is not there' refused host 1 'no device at' -p 0000:ff:00.0
check 'refuses a DPU half whose descriptor is not there' refused dpu 1 'No such file' -d missing
gone() {
	begin && cp dma_copy.descriptor descriptor && cp dma_copy.info info && run_dpu && ends_well &&
		refused dpu 1 'cannot import' -d descriptor -b info
}
check 'refuses the descriptor of a host half that has ended' gone
damaged() {
	begin && printf x | dd of=dma_copy.descriptor bs=1 seek=70 conv=notrunc && cp dma_copy.info info
	refused dpu 1 'cannot import' -b info
	found=$?
	run_dpu
	end
	return $found
}
check 'refuses a damaged descriptor' damaged
nonsense() {
	begin && echo nonsense >info && refused dpu 1 'does not give address' -b info
	found=$?
	end
	return $found
}
check 'refuses an info file that the host half has not written' nonsense
other_bytes() {
	begin && cp dma_copy.info info
	sed -i "s/^sha256.*/sha256 $(sha256_of /dev/null)/" info
	refused dpu 1 'differs from what the host half exported' -b info -o work/copy
	found=$?
	end
	[ $found -eq 0 ] && [ ! -e work/copy ] && no_leftover
}
check 'refuses bytes that are not what the host half says' other_bytes
too_far() {
	begin && sed 's/^length .*/length 1000000/' dma_copy.info >info
	refused dpu 1 'cannot get a source buffer' -b info
	found=$?
	end
	return $found
}
check 'refuses to read past what is exported' too_far

echo "1..$num"
