"""The notebooks run from top to bottom. With jupyter they run as notebooks, otherwise as programs."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
HAS_JUPYTER = importlib.util.find_spec("nbclient") is not None


def test_there_are_notebooks_without_outputs():
    assert len(NOTEBOOKS) == 2
    for path in NOTEBOOKS:
        assert all(not cell.get("outputs") for cell in json.loads(path.read_text())["cells"]), path


@pytest.mark.skipif(HAS_JUPYTER, reason="they run as notebooks")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_run_in_order(path, tmp_path):
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    program = "\n\n".join("".join(cell["source"]) for cell in cells)
    if "matplotlib" in program:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not HAS_JUPYTER, reason="nbclient is not installed")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_pictures(path, tmp_path):
    nbformat, nbclient = importlib.import_module("nbformat"), importlib.import_module("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(tmp_path))
    outputs = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in data or "data:image" in str(data.get("text/html")) for data in outputs)
    if "FRETSAW_NOTEBOOKS" in os.environ:
        nbformat.write(notebook, os.path.join(os.environ["FRETSAW_NOTEBOOKS"], path.name))
