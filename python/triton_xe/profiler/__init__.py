"""Profiles inside of kernels: scopes of a kernel become records of a clock."""
