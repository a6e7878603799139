"""Backend `cpu`: the code of an Intel GPU on the CPU, through Intel's OpenCL runtime."""
