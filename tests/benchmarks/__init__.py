"""Measurements of speed: ``python -m tests.benchmarks [screen|start|idle|core ...]``."""
