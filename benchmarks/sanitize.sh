#!/usr/bin/env bash
# The differential tests on a debug build of the extensions: bounds checks, assertions, AddressSanitizer and
# UndefinedBehaviorSanitizer. Needs GCC with its sanitizer libraries; nothing of the checkout changes.
#
#   benchmarks/sanitize.sh [ARGUMENTS OF PYTEST]        by default the tests of the engine
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== a copy and an environment of its own"
mkdir "$work/project"
git -C "$root" ls-files --cached --others --exclude-standard -z | tar -C "$root" --null --ignore-failed-read -T - -cf - |
    tar -C "$work/project" -xf -
if [ -d "$root/../shared/fixtures" ]; then
    ln -s "$(cd "$root/../shared" && pwd -P)" "$work/shared"
fi
python3 -m venv "$work/venv"
pip=("$work/venv/bin/python" -m pip --disable-pip-version-check -q install)
"${pip[@]}" 'cython>=3.1,<4' 'setuptools>=77'
cd "$work/project"

echo "== debug build"
# Bounds of the compiled containers, and of memory views where the source switches their checks off.
sed -i 's/boundscheck=False/boundscheck=True/; s/initializedcheck=False/initializedcheck=True/' $(git -C "$root" ls-files '*.pyx')
sed -i 's/optional = true/optional = false/' pyproject.toml
export CC=gcc CXX=g++ LDSHARED="gcc -shared"
export CFLAGS="-O1 -g -UNDEBUG -D_GLIBCXX_ASSERTIONS -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
export LDFLAGS="-fsanitize=address,undefined"
sed -i 's/"-O3", "-g0"/"-O1"/' pyproject.toml
"${pip[@]}" --no-build-isolation -e '.[test]'
unset CFLAGS LDFLAGS LDSHARED

echo "== tests"
# The interpreter itself is not instrumented: the runtime comes first, and what Python keeps to its end is no leak.
export LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $(gcc -print-file-name=libstdc++.so.6)"
export ASAN_OPTIONS="detect_leaks=0:abort_on_error=1:allocator_may_return_null=1:strict_string_checks=1"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
export PYTHONMALLOC=malloc HYPOTHESIS_STORAGE_DIRECTORY="$work/hypothesis"
[ $# -gt 0 ] || set -- tests/engine
"$work/venv/bin/python" -c 'from engine.kernel import has_compiled; assert has_compiled(), "not built"'
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
