# SPDX-License-Identifier: MIT
"""The meaning of each remark of the compiler for a user: whether it is good or bad news, and what to do.

The passes report facts by the names that they give to remarks. A test compares this table with those names.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Advice(NamedTuple):
    """How to take a remark."""

    verdict: Literal["good", "slower", "check", "note"]
    #: The advice, or why there is none.
    text: str

    def __str__(self) -> str:
        return f"{self.verdict}: {self.text}"


_VARIANT = "nothing to do; a launch for which this does not hold gets code without the assumption, compiled when needed"
_TWO_WAYS = "nothing to do; the kernel has the other code, too, and chooses when it runs"
_DESCRIPTOR = "a tensor descriptor (`tl.make_tensor_descriptor`) gives the compiler shape and strides"
_ROWS = "rows of 64 bytes or more, whose distance in memory is a multiple of 16 bytes, avoid this"

#: By the names of remarks.
ADVICE = {
    # Good: something was found that makes the code faster.
    "launch-condition": Advice("good", _VARIANT),
    "launch-assumption": Advice("good", _VARIANT),
    "surface-version": Advice("good", _TWO_WAYS),
    "wrap-version": Advice("good", _TWO_WAYS),
    "straight-version": Advice("good", _TWO_WAYS),
    "narrowed": Advice("good", "nothing to do"),
    "distributed": Advice("good", "nothing to do"),
    "deferred": Advice("good", "nothing to do"),
    "skipped": Advice("good", "nothing to do"),
    "forwarded": Advice("good", "nothing to do"),
    # Slower than it could be.
    "not-raised": Advice("slower", f"this access is a gather; {_DESCRIPTOR}"),
    "nested-loops": Advice("slower", "remove `flatten`, or write one loop"),
    "layout-conversion": Advice(
        "slower", "often a transposed or reduced tile; the report shows which line it costs how many bytes"
    ),
    "ordered": Advice("slower", "nothing to do if the order is needed; loads before all stores need no barriers"),
    "prefetch-distance": Advice("slower", "a smaller block, or fewer `num_stages`, fits L1"),
    "split": Advice("slower", "more registers (`grf_mode`), more warps or a smaller block avoid this"),
    "reloaded": Advice("slower", "more registers (`grf_mode`), more warps or a smaller block avoid this"),
    "divided": Advice("slower", "more registers (`grf_mode`), more warps or a smaller block avoid this"),
    "repeated": Advice("slower", "more registers (`grf_mode`), more warps or fewer rows in a block avoid this"),
    # These remarks point at a possible mistake.
    "unordered": Advice("check", "add `tl.debug_barrier()` between the two, unless they access different elements"),
    "saturated": Advice("check", "write the integer that you mean"),
    # These remarks are neither good nor bad.
    "dropped-hint": Advice("note", "the hint can stay for other devices"),
    "left-out": Advice("note", "as `skip_passes` requests"),
    "profile-buffer": Advice("note", "records in global memory take longer to write"),
    # Why an access is no 2D block message: these are slower.
    "target": Advice("slower", "nothing to do; this chip has no 2D block messages"),
    "unknown-origin": Advice("slower", f"the tensor cannot be found; {_DESCRIPTOR}"),
    "rank": Advice("slower", "blocks with rows and columns are messages"),
    "element-width": Advice("slower", "nothing to do for this type"),
    "no-unit-stride": Advice("slower", "one dimension must have stride 1"),
    "unit-stride-not-inner": Advice("slower", "the last two dimensions must have the elements with stride 1"),
    "base-alignment": Advice("slower", "tensors that begin at multiples of 64 bytes, as torch makes them, avoid this"),
    "width-alignment": Advice("slower", "rows whose bytes are a multiple of 4 avoid this"),
    "offset-alignment": Advice("slower", "offsets along a row that are multiples of 4 bytes avoid this"),
    "unknown-pitch": Advice("slower", f"the distance of rows is not known; {_DESCRIPTOR}"),
    "pitch-alignment": Advice("slower", _ROWS),
    "column-major-width": Advice("slower", "store the tensor by rows, or gather it as it is"),
    "column-major-store": Advice("slower", "no message stores columns; store the transposed block"),
    "transposed-operand-a": Advice("slower", "transpose the tensor in memory, or exchange the operands of `tl.dot`"),
    "gathered-columns": Advice("slower", "gather rows instead of columns"),
    "nan-padding": Advice("slower", "messages pad with zeros"),
    "volatile": Advice("slower", "messages are not volatile; drop the flag if no other thread writes"),
    "masked": Advice("slower", "a mask that compares rows and columns with sizes can be a message; others cannot"),
    "layout": Advice("slower", "no message has the layout that this block is needed in"),
    "surface-size": Advice("slower", "messages address up to 2^24 rows, and rows of up to 2^24 bytes"),
    "negative-offset": Advice("slower", "offsets that are never negative avoid this"),
    "surface-unknown": Advice("slower", f"the size of the tensor is not known; {_DESCRIPTOR}"),
    "surface-refused": Advice("slower", "tensors for which all of it holds, such as some with padded rows, avoid this"),
}
