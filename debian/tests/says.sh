# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# What the tests share: a command as it is typed, and what it must say.
set -eu

says() { # WORDS COMMAND...: the command succeeds and has the words on standard output
	words=$1
	shift
	echo "\$ $*"
	said=$("$@") || {
		echo "$said"
		echo "failed: $*"
		exit 1
	}
	case $said in
	*"$words"*) ;;
	*)
		echo "$said"
		echo "did not say '$words': $*"
		exit 1
		;;
	esac
}
