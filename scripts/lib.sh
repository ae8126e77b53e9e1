# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the scripts share: a build directory that fits its options, and a test run that is counted.

# Make the directory ready to compile; one that was set up otherwise (options, CC) is set up anew. Where
# the same options have other values, what is the same is not compiled again.
configure() { # directory, options of meson setup...
	local dir=$1 environment stamp known=
	shift
	environment="${CC:-} ${CXX:-} ${CFLAGS:-} ${LDFLAGS:-}"
	stamp=$dir/softdoca-options
	[ ! -f "$dir/build.ninja" ] || known=$(cat "$stamp" 2>/dev/null) || known=
	if [ "$known" = "$environment"$'\n'"$*" ]; then
		return
	fi
	rm -f "$stamp"
	if [ "$(without_values "$known")" = "$(without_values "$environment"$'\n'"$*")" ]; then
		meson setup --reconfigure "$dir" "$@" || return
	elif [ -f "$dir/meson-private/coredata.dat" ]; then
		meson setup --wipe "$dir" "$@" || return
	else
		meson setup "$dir" "$@" || return
	fi
	printf '%s\n' "$environment" "$*" >"$stamp"
}

without_values() { # the two lines of a stamp
	sed -E '2s/=[^ ]*//g' <<<"$1"
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

# What install and uninstall are given: sets prefix, destdir and layout, or says what is wrong.
# shellcheck disable=SC2034
read_place() { # PREFIX [DESTDIR [LAYOUT]]
	local wrong=

	prefix=${1:-} destdir=${2:-} layout=${3:-softdoca}
	case $layout in
	softdoca | mellanox) ;;
	*) wrong="LAYOUT=$layout: softdoca and mellanox are allowed" ;;
	esac
	if [ -z "$prefix" ]; then
		wrong="PREFIX is empty: name a directory"
	elif [ "${prefix#/}" = "$prefix" ]; then
		wrong="PREFIX=$prefix is relative: begin it with /, as in PREFIX=$PWD/$prefix"
	elif [[ $prefix =~ [^[:alnum:]/._+@%~-] ]]; then
		wrong="PREFIX=$prefix has '${BASH_REMATCH[0]}', which pkg-config's files and library paths cannot have: choose another"
	elif [[ $destdir == *$'\n'* ]]; then
		wrong="DESTDIR has a line break"
	fi
	if [ -n "$wrong" ]; then
		echo "softdoca: $wrong" >&2
		exit 2
	fi
	prefix=$(realpath -sm -- "$prefix")
	[ -z "$destdir" ] || destdir=$(realpath -m -- "$destdir")
	[ "$destdir" != / ] || destdir=
}
