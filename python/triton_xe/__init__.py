"""Intel GPU (Xe) backend for stock Triton wheels."""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load `IRSource` on first use: Triton imports this package while it is itself being imported."""
    if name == "IRSource":
        from triton_xe.ir_source import IRSource

        return IRSource
    raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
