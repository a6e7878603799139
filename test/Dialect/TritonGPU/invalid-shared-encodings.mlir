// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of the parsers and verifiers of layouts in shared memory.

// expected-error @+1 {{expected key 'vec'}}
#a = #ttg.swizzled_shared<{perPhase = 1, maxPhase = 4, order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'vec' to be a non-negative integer}}
#a = #ttg.swizzled_shared<{vec = [8], perPhase = 1, maxPhase = 4, order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'vec' to be a power of two, found 0}}
#a = #ttg.swizzled_shared<{vec = 0, perPhase = 1, maxPhase = 4, order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'perPhase' to be a power of two, found 3}}
#a = #ttg.swizzled_shared<{vec = 8, perPhase = 3, maxPhase = 4, order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'maxPhase' to be a power of two, found 12}}
#a = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 12, order = [1, 0]}>

// -----

// expected-error @+1 {{expected a layout of rank 1 to 32, found rank 0}}
#a = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = []}>

// -----

// expected-error @+1 {{expected a layout of rank 1 to 32, found rank 33}}
#a = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]}>

// -----

// expected-error @+1 {{expected 'order' to be a permutation of the dimensions, found [0, 0]}}
#a = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 0]}>

// -----

// expected-error @+1 {{a layout over several CTAs is not supported: 'CGALayout' must be empty}}
#a = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0], CGALayout = [[0, 1]]}>

// -----

// expected-error @+1 {{expected '['}}
#a = #ttg.padded_shared<{order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected ':'}}
#a = #ttg.padded_shared<[64] {order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected '+'}}
#a = #ttg.padded_shared<[64:8] {order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{integer value too large}}
#a = #ttg.padded_shared<[99999999999:+8] {order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected one padding per interval, and at least one}}
#a = #ttg.padded_shared<[] {order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected intervals and paddings to be powers of two up to 1048576, found 0}}
#a = #ttg.padded_shared<[64:+0] {order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected intervals and paddings to be powers of two up to 1048576, found 48}}
#a = #ttg.padded_shared<[48:+8] {order = [1, 0], shape = [32, 32]}>

// -----

// The size of the buffer would leave 64 bits.
// expected-error @+1 {{expected intervals and paddings to be powers of two up to 1048576, found 2097152}}
#a = #ttg.padded_shared<[64:+2097152] {order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected every interval once}}
#a = #ttg.padded_shared<[64:+8, 64:+16] {order = [1, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected either 'offset' or 'order' and 'shape'}}
#a = #ttg.padded_shared<[64:+8] {}>

// -----

// expected-error @+1 {{expected either 'offset' or 'order' and 'shape'}}
#a = #ttg.padded_shared<[64:+8] {order = [0], shape = [2], offset = [[1]]}>

// -----

// expected-error @+1 {{expected key 'shape'}}
#a = #ttg.padded_shared<[64:+8] {order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'order' to be a permutation of the dimensions, found [2, 0]}}
#a = #ttg.padded_shared<[64:+8] {order = [2, 0], shape = [32, 32]}>

// -----

// expected-error @+1 {{expected 'shape' to have 2 entries as 'order' has, found 1}}
#a = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32]}>

// -----

// expected-error @+1 {{expected every entry of 'shape' to be a power of two, found 0}}
#a = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [0, 32]}>

// -----

// expected-error @+1 {{expected a layout of at most 2^30 elements}}
#a = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [65536, 32768]}>

// -----

// expected-error @+1 {{expected every element to have exactly one offset}}
#a = #ttg.padded_shared<[64:+8] {offset = [[1, 0], [1, 0]]}>

// -----

// expected-error @+1 {{a layout over several CTAs is not supported: 'block' must be empty}}
#a = #ttg.padded_shared<[64:+8] {offset = [[1]], block = [[2]]}>

// -----

// expected-error @+1 {{unknown key 'vec'}}
#a = #ttg.padded_shared<[64:+8] {vec = 1}>

// -----

// expected-error @+1 {{expected ','}}
#a = #ttg.shared_linear<{offset = [[1]]}>

// -----

// expected-error @+1 {{expected 'alignment'}}
#a = #ttg.shared_linear<{offset = [[1]]}, align = 16>

// -----

// expected-error @+1 {{expected key 'offset'}}
#a = #ttg.shared_linear<{}, alignment = 16>

// -----

// expected-error @+1 {{expected 'alignment' to be a power of two up to 1048576, found 0}}
#a = #ttg.shared_linear<{offset = [[1]]}, alignment = 0>

// -----

// expected-error @+1 {{expected 'alignment' to be a power of two up to 1048576, found 24}}
#a = #ttg.shared_linear<{offset = [[1]]}, alignment = 24>

// -----

// expected-error @+1 {{expected 'alignment' to be a power of two up to 1048576, found 2147483648}}
#a = #ttg.shared_linear<{offset = [[1]]}, alignment = 2147483648>

// -----

// expected-error @+1 {{expected every element to have exactly one offset}}
#a = #ttg.shared_linear<{offset = [[1], [4]]}, alignment = 16>

// -----

// expected-error @+1 {{expected at least one basis}}
#a = #ttg.shared_linear<{offset = []}, alignment = 16>

// -----

// expected-error @+1 {{expected a layout of at most 2^30 elements}}
#a = #ttg.shared_linear<{offset = [[65536, 0], [0, 65536]]}, alignment = 16>
