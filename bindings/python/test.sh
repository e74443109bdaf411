#!/usr/bin/env bash
# Builds the Python package as the tests of the workspace are built, and runs its tests in a virtual environment.
# Where Python or the packages for the tests are missing, it says so and succeeds; FRETSAW_PYTHON=required makes that a
# failure. Arguments are passed to pytest.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)

skip() {
    echo "The Python package is not tested: $1."
    [ "${FRETSAW_PYTHON:-}" != required ]
    exit
}
command -v python3 >/dev/null || skip "there is no python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' || skip "python3 is older than 3.9"
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/python-venv
python=$venv/bin/python
[ -x "$python" ] || python3 -m venv "$venv" >/dev/null 2>&1 || skip "python3 cannot make a virtual environment"
packages=(numpy pytest pillow scipy tqdm mypy)
# Tests of clusters and notebooks take a minute: in continuous integration, or where their packages are installed already.
[ "${CI:-}" != true ] || packages+=(distributed matplotlib nbclient ipykernel)
"$python" -m pip install --quiet --disable-pip-version-check "${packages[@]}" ||
    skip "pip cannot install what the tests need"

# In the profile of the workspace, most dependencies that its tests have compiled are used again.
mkdir -p "$target/python-package"
sed -n '/^\[profile\.dev/,/^\[profile\.release/p' "$root/Cargo.toml" | sed '$d' >"$target/python-package/profile.toml"
build=(cargo --config "$target/python-package/profile.toml")
"${build[@]}" fmt --check
"${build[@]}" build --locked --target-dir "$target"

package=$target/python-package/fretsaw
rm -rf "$package"
cp -r python/fretsaw "$package"
for built in lib_native.so lib_native.dylib; do
    [ ! -e "$target/debug/$built" ] || cp "$target/debug/$built" "$package/_native.abi3.so"
done
export PYTHONPATH=$target/python-package PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -q -p no:cacheprovider tests "$@"
