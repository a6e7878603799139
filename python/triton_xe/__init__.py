"""Intel GPU (Xe) backend for stock Triton wheels."""

__version__ = "0.1.0"
