"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("splendor", deadline=None, derandomize=True, database=None)
settings.load_profile("splendor")
