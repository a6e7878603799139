# SPDX-License-Identifier: MIT
"""Matrix product of microscaling formats (MXFP8, MXFP4): groups of 32 values share a power of two.

The formats are those of the OCP Microscaling Formats (MX) Specification 1.0. `tl.dot_scaled` takes values and scales;
PVC multiplies scaled values in bf16, and `arch="cri"` has instructions for both formats.
"""

import torch
import triton
import triton.language as tl

GROUP = 32
#: The numbers of e2m1 without their sign, by code.
E2M1 = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])


@triton.jit
def scaled_kernel(a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, c_ptr, M, N, K, FORMAT: tl.constexpr, PACKED: tl.constexpr,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):  # fmt: skip
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    # Bytes of a row: two values of 4 bits share one.
    k, groups = tl.arange(0, BLOCK_K // PACKED), tl.arange(0, BLOCK_K // 32)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        inner = start // PACKED + k
        a = tl.load(a_ptr + m[:, None] * (K // PACKED) + inner[None, :], mask=m[:, None] < M)
        b = tl.load(b_ptr + n[None, :] * (K // PACKED) + inner[:, None], mask=n[None, :] < N)
        scales = start // 32 + groups[None, :]
        a_scale = tl.load(a_scale_ptr + m[:, None] * (K // 32) + scales, mask=m[:, None] < M)
        b_scale = tl.load(b_scale_ptr + n[:, None] * (K // 32) + scales, mask=n[:, None] < N)
        total = tl.dot_scaled(a, a_scale, FORMAT, b, b_scale, FORMAT, total)
    tl.store(c_ptr + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


def quantize(x: torch.Tensor, number_format: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Values and scales as the kernel takes them, and the numbers that they represent."""
    groups = x.unflatten(1, (-1, GROUP))
    largest = 448.0 if number_format == "e4m3" else 6.0
    exponent = torch.ceil(torch.log2(groups.abs().amax(2, keepdim=True) / largest)).clamp(-127, 127)
    scaled = groups / 2**exponent
    if number_format == "e4m3":
        values = scaled.flatten(1).to(torch.float8_e4m3fn)
        numbers = values.float()
    else:
        codes = (scaled.abs().flatten(1).unsqueeze(2) - E2M1).abs().argmin(2)
        negative = scaled.flatten(1) < 0
        numbers = torch.where(negative, -E2M1[codes], E2M1[codes])
        low, high = (codes | negative * 8).unflatten(1, (-1, 2)).unbind(2)
        values = (low | high << 4).to(torch.uint8)
    numbers = (numbers.unflatten(1, (-1, GROUP)) * 2**exponent).flatten(1)
    return values, (exponent.squeeze(2) + 127).to(torch.uint8), numbers


def scaled_matmul(a, a_scale, b, b_scale, number_format: str, **options) -> torch.Tensor:
    """A (M x K) by the transposed of B (N x K)."""
    packed = 2 if number_format == "e2m1" else 1
    m, n, k = a.shape[0], b.shape[0], a.shape[1] * packed
    c = torch.empty(m, n, device=a.device)
    scaled_kernel[(triton.cdiv(m, 64), triton.cdiv(n, 64))](
        a, a_scale, b, b_scale, c, m, n, k, number_format, packed,
        BLOCK_M=64, BLOCK_N=64, BLOCK_K=64, num_warps=8, **options,
    )  # fmt: skip
    return c


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    for number_format in ("e4m3", "e2m1"):
        (a, a_scale, a_numbers), (b, b_scale, b_numbers) = (
            quantize(torch.randn(rows, 256), number_format) for rows in (100, 72)
        )
        inputs = [x.to(device) for x in (a, a_scale, b, b_scale)]
        c = scaled_matmul(*inputs, number_format)
        torch.testing.assert_close(c.cpu(), a_numbers @ b_numbers.T, rtol=1e-3, atol=1e-2)
        print("block_scaled_matmul: right in", number_format)


if __name__ == "__main__":
    main()
