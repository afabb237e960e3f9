"""Building the notebooks from ``lessons/``: read, strip, execute, make canonical, compare."""
