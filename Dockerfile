# SPDX-License-Identifier: MIT
# triton-xe with torch for the CPU and the device compiler, for any machine with x86-64:
#
#     docker build --tag triton-xe . && docker run --rm --interactive --tty triton-xe
#
# With an Intel GPU, torch and the driver are others: docs/get-started/intel-gpu.md.

FROM debian:12 AS build
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates make python3
WORKDIR /source
COPY . .
RUN make wheel

FROM python:3.11-slim-bookworm
# Triton compiles a small C file for some of its backends, for which it needs a compiler.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/dist /wheels
RUN pip install --no-cache-dir /wheels/*.whl torch --extra-index-url https://download.pytorch.org/whl/cpu \
    && rm -r /wheels && triton-xe install-compiler
WORKDIR /triton-xe
COPY examples /triton-xe/examples
CMD ["triton-xe", "info"]
