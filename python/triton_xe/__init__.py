"""Intel GPU (Xe) backend for stock Triton wheels."""

__version__ = "0.1.0"

# Triton imports the backends while it is itself being imported. Whoever imports a module of this package first must not
# find it half-way: Triton comes first, always.
import triton  # noqa: F401


def __getattr__(name: str) -> object:
    """Load `IRSource` on first use: its base class exists only when Triton is complete."""
    if name == "IRSource":
        from triton_xe.ir_source import IRSource

        return IRSource
    raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
