"""What all tests share: hypothesis without deadlines, for machines are noisy and timings are not tests."""

from hypothesis import HealthCheck, settings

settings.register_profile("outplay", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("outplay")
