# SPDX-License-Identifier: MIT
"""Parts of the package that may change from version to version, as the languages do that they extend."""
