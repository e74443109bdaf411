"""The guide for Python people works, block by block."""

import pathlib
import re
import subprocess
import sys

GUIDE = pathlib.Path(__file__).resolve().parents[3] / "docs/guides/python.md"


def test_every_block_of_the_guide_runs(tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    # A process pool imports its main module again: the rest must not run there.
    imports, first = blocks[0].split("\n", 1)
    guarded = "\n".join(f"    {line}" for line in "\n".join([first, *blocks[1:]]).splitlines())
    (tmp_path / "guide.py").write_text(f"{imports}\nif __name__ == '__main__':\n{guarded}\n")
    done = subprocess.run([sys.executable, "guide.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "<Solution: 432 of 432 pieces on 24 x 18 (columns x rows), finished>" in done.stdout
    assert (tmp_path / "picture.png").exists() and (tmp_path / "report.html").exists()
