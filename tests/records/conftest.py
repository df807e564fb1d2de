"""How hypothesis runs here: no deadline, since a whole game is one example."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "dvonn", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dvonn")
