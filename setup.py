"""Builds the compiled search where there is a compiler; without one the search runs interpreted."""

import platform
import runpy
import sys
from pathlib import Path

from setuptools import Extension, setup

FOLDER = Path("dvonn_tui") / "engine"


def extensions() -> list[Extension]:
    """The search as an optional extension; nothing when there is no Cython."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    stamp = runpy.run_path(str(FOLDER / "stamp.py"))["stamp_of"](FOLDER)
    if sys.platform == "win32":
        flags = ["/O2"]
    else:
        flags = ["-O3", "-g0", "-fno-wrapv"] + (
            ["-mpopcnt", "-msse4.2"] if platform.machine() in ("x86_64", "AMD64") else []
        )
    built = cythonize(
        Extension(
            "dvonn_tui.engine.search",
            [str(FOLDER / "search.py")],
            extra_compile_args=flags,
            define_macros=[("Py_LIMITED_API", "0x030B0000"), ("DVONN_SOURCES", f"{stamp}UL")],
            py_limited_api=True,
        ),
        build_dir="build/cython",
    )
    for extension in built:
        extension.optional = True  # cythonize() drops the option
    return list(built)


setup(ext_modules=extensions(), options={"bdist_wheel": {"py_limited_api": "cp311"}})
