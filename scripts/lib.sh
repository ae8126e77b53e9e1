# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the scripts share: a build directory that fits its options, and a test run that is counted.

# Make the directory ready to compile; one that was set up otherwise (options, CC) is set up anew.
configure() { # directory, options of meson setup...
	local dir=$1 wanted stamp
	shift
	wanted="${CC:-} ${CXX:-} ${CFLAGS:-} ${LDFLAGS:-} $*"
	stamp=$dir/softdoca-options
	if [ -f "$dir/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
		return
	fi
	if [ -f "$dir/meson-private/coredata.dat" ]; then
		meson setup --wipe "$dir" "$@" || return
	else
		meson setup "$dir" "$@" || return
	fi
	printf '%s\n' "$wanted" >"$stamp"
}

# Run the tests and print `N passed, N failed`. The status is meson's, or 1 when a test failed that
# meson did not see.
run_tests() { # directory, options of meson test...
	local dir=$1 status=0 counted=0
	shift
	rm -f "$dir"/meson-logs/testlog*.json
	meson test -C "$dir" --no-rebuild "$@" || status=$?
	scripts/count-tap "$dir" "$status" || counted=$?
	[ "$status" -ne 0 ] || status=$counted
	return "$status"
}
