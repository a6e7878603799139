# SPDX-License-Identifier: MIT
"""Everything that this package replaces in Triton and torch, and the one mechanism that replaces it.

    table         what is replaced: each symbol with the reason, the versions, and a probe of the installed wheel
    changes       replaces a symbol of the table, once, and restores it
    originals     remembers what Triton or torch had in a symbol's place
    features      sets of changes in torch, of which all are made or none
    functions     copies of functions of torch with other constants

The other modules make replacements that are nothing but that. A replacement that belongs to a feature is made where
the feature is, by the same mechanism: `scripts/check_sources.py` finds any other assignment to a part of Triton or
torch.
"""
