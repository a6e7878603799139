"""Native code."""
