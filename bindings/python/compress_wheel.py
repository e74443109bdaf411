"""Packs the files of a wheel again, with a compressor that searches longer: python compress_wheel.py WHEEL

The format is the same, so that every pip reads it; contents, names and dates stay. Needs zopflipy.
"""

import pathlib
import sys
import zipfile

import zopfli

wheel = pathlib.Path(sys.argv[1])
part = wheel.with_suffix(".part")
with zipfile.ZipFile(wheel) as before, zopfli.ZipFile(part, "w", zipfile.ZIP_DEFLATED, iterations=10) as after:
    for entry in before.infolist():
        after.writestr(entry, before.read(entry))
with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(part) as after:
    if after.testzip() or before.namelist() != after.namelist():
        sys.exit(f"{part} is not a copy of {wheel}")
part.replace(wheel)
