# SPDX-License-Identifier: MIT
"""Intel GPU (Xe) backend for stock Triton wheels."""

from triton_xe import installation

#: The modules that the command line uses where Triton cannot be imported.
_WITHOUT_TRITON = ("installation", "products", "statuses", "suggestions", "tools")

#: Why Triton cannot be imported; None if it can.
failure: ImportError | None = None

# Triton imports the backends while it is itself being imported. Code that imports a module of this package first must
# not find it half-way: Triton comes first, always.
try:
    import triton

    installation.check_backends(triton)
except ImportError as error:
    mixture = installation.find_mixture()
    failure = ImportError(f"{error}. {mixture.explain()}") if mixture else error
    # An error from here is the one that `import triton` ends with. The command line goes on.
    if installation.is_importing_backends():
        raise failure from None


def __getattr__(name: str) -> object:
    """Look names up on first use: the base class of `IRSource` needs a complete Triton, and the version takes time."""
    if name == "__version__":
        import importlib.metadata

        return importlib.metadata.version("triton-xe")
    if failure is not None and not name.startswith("__") and name not in _WITHOUT_TRITON:
        raise failure
    if name == "IRSource":
        from triton_xe.ir_source import IRSource

        return IRSource
    raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
