"""For every test: Hypothesis tries the same examples each time, and no clock decides."""

from hypothesis import settings

settings.register_profile("fiuto", deadline=None, derandomize=True)
settings.load_profile("fiuto")
