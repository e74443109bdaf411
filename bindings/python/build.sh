#!/usr/bin/env bash
# Builds the wheel of the Python package into the folder given, by default bindings/python/dist, packs it tightly, and prints
# its size. On Linux it is a manylinux wheel of the oldest system that the compiler can build for: with zig (pip install
# ziglang) of glibc 2.17, otherwise of this machine's glibc.
set -euo pipefail
cd "$(dirname "$0")"
out=${1:-dist}
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/python-build-venv
python=$venv/bin/python
[ -x "$python" ] || python3 -m venv "$venv"
"$python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.8,<2' zopflipy
zig=()
if "$python" -c 'import ziglang' 2>/dev/null; then
    zig=(--zig --compatibility manylinux2014)
fi
# `strip` of the profile leaves the table of symbols, which maturin's `--strip` takes away.
CARGO_TARGET_DIR=$target "$venv/bin/maturin" build --profile wheel --locked --strip --out "$out" "${zig[@]}"
for wheel in "$out"/fretsaw-*.whl; do
    "$python" compress_wheel.py "$wheel"
    echo "$wheel: $(wc -c <"$wheel") bytes"
done
