"""Stands in for the module `cython` where Cython is not installed and the search runs interpreted."""

from __future__ import annotations

from contextlib import nullcontext

compiled = False
nogil: nullcontext[None] = nullcontext()
