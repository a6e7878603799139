# SPDX-License-Identifier: MIT
"""`python -m triton_xe` is the command `triton-xe`."""

import sys

from triton_xe.tools.command_line import main

if __name__ == "__main__":
    sys.exit(main())
