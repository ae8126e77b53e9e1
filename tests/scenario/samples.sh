# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# What the tests of samples share: programs built against an installed package alone, and TAP.
# Source it with SOURCE_ROOT BUILD_ROOT SANITIZE as the script has them; then it is in a directory
# of its own that goes with the script, with "work" in it.

source_root=$1
build_root=$2
sanitize=$3

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

pkg-config --exists gnutls || skip_all 'gnutls is not installed (libgnutls28-dev)'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# Nobody may enter too: one test runs as another user.
chmod 755 "$dir"
cd "$dir" || exit 1
mkdir work

install_package() {
	# With DESTDIR and not a prefix of its own: pkg-config maps the paths into the tree.
	DESTDIR=$dir/root meson install -C "$build_root" --no-rebuild
}

build_flavour() { # host|dpu PROGRAM...: the programs are $dir/bin/host/..., $dir/bin/dpu/...
	flavour=$1
	shift
	case $flavour in
	host) pc=$(find "$dir/root" -path '*/softdoca/pkgconfig' -type d) ;;
	dpu) pc=$(find "$dir/root" -path '*/softdoca/dpu/pkgconfig' -type d) ;;
	esac
	flags='-O1 -g -Werror'
	[ "$sanitize" = none ] || flags="$flags -fsanitize=$sanitize"
	for program in "$@"; do
		PKG_CONFIG_SYSROOT_DIR=$dir/root PKG_CONFIG_PATH=$pc \
			make -f "$source_root/samples/Makefile" BUILD_DIR="$dir/bin/$flavour" \
			CFLAGS="$flags" "$dir/bin/$flavour/$program" || return 1
	done
}

# All else is in vain without it.
must_build() { # COMMAND...
	if ! "$@" >build.log 2>&1; then
		sed 's/^/# /' build.log
		echo '1..1'
		echo 'not ok 1 - the sample builds against the installed package'
		exit 1
	fi
}

must_build install_package
LD_LIBRARY_PATH=$(dirname "$(find "$dir/root" -name libdoca_dma.so.2)")
export LD_LIBRARY_PATH
unset SOFTDOCA_DEVICE SOFTDOCA_ROLE SOFTDOCA_CONFIG DOCA_LOG_LEVEL

# --- TAP ----------------------------------------------------------------------------------------
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
		for said in *out *err; do
			[ ! -s "$said" ] || sed "s/^/# $said: /" "$said"
		done
	fi
}

sha256_of() { # FILE
	sha256sum <"$1" | cut -d ' ' -f 1
}

no_leftover() { # nothing but what has its name is in work
	[ -z "$(find "$dir/work" -name '.*.*')" ]
}
