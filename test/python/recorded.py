# SPDX-License-Identifier: MIT
"""Checks of the records in harvest files."""

from __future__ import annotations

import hashlib
import json
from types import SimpleNamespace

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import make_backend
from triton.runtime.cache import get_cache_key

from triton_xe.tools.harvest.records import Specialization


def make_key(record: Specialization, target: GPUTarget) -> str:
    """Return the key that the kernel of a record has on a target."""
    backend = make_backend(target)
    options = backend.parse_options(json.loads(json.dumps(record.options)))
    source = SimpleNamespace(hash=lambda: record.source_hash)
    return hashlib.sha256(get_cache_key(source, backend, options, env_vars=record.environment).encode()).hexdigest()


def check_key(record: Specialization) -> None:
    """The key follows from the record, and the TTIR can be compiled."""
    target = GPUTarget(record.target["backend"], record.target["arch"], record.target["warp_size"])
    assert make_key(record, target) == record.key
    assert "tt.func public @" in record.ttir
    assert record.triton_version == triton.__version__
    assert len(record.triton_key) == 64
