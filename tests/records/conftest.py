"""How hypothesis runs here: no deadline, since a whole game is one example."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "records", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("records")
