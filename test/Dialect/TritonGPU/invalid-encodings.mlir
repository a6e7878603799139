// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of the parsers and verifiers of the encodings.

// A dictionary in angle brackets, with the right keys and kinds of values.
// expected-error @+1 {{expected '<'}}
#a = #ttg.blocked

// -----

// expected-error @+1 {{expected attribute value}}
#a = #ttg.blocked<>

// -----

// expected-error @+1 {{invalid kind of attribute specified}}
#a = #ttg.blocked<[1]>

// -----

// expected-error @+1 {{expected '>'}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]} 1>

// -----

// expected-error @+1 {{unknown key 'sizePerWarp'}}
#a = #ttg.blocked<{sizePerWarp = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{duplicate key 'order' in dictionary attribute}}
#a = #ttg.blocked<{order = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected key 'order'}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1]}>

// -----

// expected-error @+1 {{expected 'sizePerThread' to be a list of non-negative integers}}
#a = #ttg.blocked<{sizePerThread = 4, threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'sizePerThread' to be a list of non-negative integers}}
#a = #ttg.blocked<{sizePerThread = [1, -4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// Numbers have 31 bits, whatever the type.
// expected-error @+1 {{expected 'threadsPerWarp' to be a list of non-negative integers}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 4294967296], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'warpsPerCTA' to be a list of non-negative integers}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [1, 99999999999999999999 : i128], order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'order' to be a list of non-negative integers}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [true, false]}>

// -----

// expected-error @+1 {{expected 'order' to be a list of non-negative integers}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1.0, 0.0]}>

// -----

// expected-error @+1 {{expected 'CGALayout' to be a list of bases}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = 1}>

// -----

// expected-error @+1 {{a layout over several CTAs is not supported: 'CGALayout' must be empty}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>

// -----

//===----------------------------------------------------------------------===//
// blocked
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected a layout of rank 1 to 32, found rank 0}}
#a = #ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>

// -----

// expected-error @+1 {{expected a layout of rank 1 to 32, found rank 33}}
#a = #ttg.blocked<{sizePerThread = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], threadsPerWarp = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], warpsPerCTA = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]}>

// -----

// expected-error @+1 {{expected 'sizePerThread' to have 2 entries as 'order' has, found 1}}
#a = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'threadsPerWarp' to have 2 entries as 'order' has, found 3}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'warpsPerCTA' to have 2 entries as 'order' has, found 0}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [], order = [1, 0]}>

// -----

// expected-error @+1 {{expected every entry of 'sizePerThread' to be a power of two, found 0}}
#a = #ttg.blocked<{sizePerThread = [0, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected every entry of 'threadsPerWarp' to be a power of two, found 3}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [3, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected every entry of 'warpsPerCTA' to be a power of two, found 6}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [6, 1], order = [1, 0]}>

// -----

// expected-error @+1 {{expected 'order' to be a permutation of 0..1, found [1, 1]}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 1]}>

// -----

// expected-error @+1 {{expected 'order' to be a permutation of 0..1, found [2, 0]}}
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [2, 0]}>

// -----

// expected-error @+1 {{expected a tile of at most 2^30 elements, found 2^40}}
#a = #ttg.blocked<{sizePerThread = [65536, 65536], threadsPerWarp = [2, 8], warpsPerCTA = [16, 1], order = [1, 0]}>

// -----

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected key 'dim'}}
#a = #ttg.slice<{parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>

// -----

// expected-error @+1 {{expected key 'parent'}}
#a = #ttg.slice<{dim = 0}>

// -----

// expected-error @+1 {{expected 'dim' to be a non-negative integer}}
#a = #ttg.slice<{dim = -1, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>

// -----

// expected-error @+1 {{expected 'dim' to be a non-negative integer}}
#a = #ttg.slice<{dim = [0], parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>

// -----

// expected-error @+1 {{expected 'parent' to be a layout of the right kind}}
#a = #ttg.slice<{dim = 0, parent = 1 : i32}>

// -----

// Shared memory is not distributed.
// expected-error @+1 {{expected 'parent' to be a layout of the right kind}}
#a = #ttg.slice<{dim = 0, parent = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>}>

// -----

// expected-error @+1 {{expected 'parent' to have rank 2 or more, found 1}}
#a = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>}>

// -----

// expected-error @+1 {{expected 'dim' to be less than the parent's rank 2, found 2}}
#a = #ttg.slice<{dim = 2, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>

// -----

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected key 'block'}}
#a = #ttg.linear<{register = [[1]], lane = [], warp = []}>

// -----

// expected-error @+1 {{expected 'lane' to be a list of bases}}
#a = #ttg.linear<{register = [[1]], lane = 1, warp = [], block = []}>

// -----

// expected-error @+1 {{expected 'lane' to be a list of lists of non-negative integers}}
#a = #ttg.linear<{register = [[1]], lane = [2], warp = [], block = []}>

// -----

// The rank would be unknown.
// expected-error @+1 {{expected at least one basis}}
#a = #ttg.linear<{register = [], lane = [], warp = [], block = []}>

// -----

// expected-error @+1 {{expected bases with 1 to 32 entries, found 0}}
#a = #ttg.linear<{register = [[]], lane = [], warp = [], block = []}>

// -----

// expected-error @+1 {{expected bases with 1 to 32 entries, found 33}}
#a = #ttg.linear<{register = [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]], lane = [], warp = [], block = []}>

// -----

// expected-error @+1 {{expected all bases to have 2 entries, found 1}}
#a = #ttg.linear<{register = [[1, 0]], lane = [[1]], warp = [], block = []}>

// -----

// expected-error @+1 {{basis entry too large}}
#a = #ttg.linear<{register = [[1073741824]], lane = [], warp = [], block = []}>

// -----

// expected-error @+1 {{input dimension 'register' has more than 30 bits}}
#a = #ttg.linear<{register = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]], lane = [], warp = [], block = []}>

// -----

// expected-error @+1 {{the layout has more than 63 input or output bits}}
#a = #ttg.linear<{register = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]], lane = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]], warp = [[0], [0], [0], [0]], block = []}>

// -----

// expected-error @+1 {{a layout over several CTAs is not supported: 'block' must be empty}}
#a = #ttg.linear<{register = [[1]], lane = [], warp = [], block = [[2]]}>

// -----

// expected-error @+1 {{expected a layout of at most 2^30 elements}}
#a = #ttg.linear<{register = [[65536, 0]], lane = [[0, 65536]], warp = [], block = []}>

// -----

// expected-error @+1 {{expected every basis entry to be a power of two or zero, found 3}}
#a = #ttg.linear<{register = [[1]], lane = [[3]], warp = [], block = []}>

// -----

// expected-error @+1 {{expected every basis to move along at most one dimension}}
#a = #ttg.linear<{register = [[1, 0]], lane = [[1, 1]], warp = [], block = []}>

// -----

// expected-error @+1 {{expected the bases to reach every element of the tensor}}
#a = #ttg.linear<{register = [[1]], lane = [[4]], warp = [], block = []}>

// -----

// expected-error @+1 {{expected no two bases to be equal, save zeros}}
#a = #ttg.linear<{register = [[1], [2]], lane = [[1]], warp = [], block = []}>

// -----

//===----------------------------------------------------------------------===//
// dot_op
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected key 'opIdx'}}
#a = #ttg.dot_op<{parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>

// -----

// expected-error @+1 {{expected key 'parent'}}
#a = #ttg.dot_op<{opIdx = 0}>

// -----

// expected-error @+1 {{expected 'kWidth' to be a non-negative integer}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>, kWidth = -2}>

// -----

// expected-error @+1 {{expected 'opIdx' to be 0 or 1, found 2}}
#a = #ttg.dot_op<{opIdx = 2, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>

// -----

// A linear layout has no tile to take K out of.
// expected-error @+1 {{expected 'parent' to be a blocked layout or that of a matrix instruction}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttg.linear<{register = [[1, 0]], lane = [[0, 1]], warp = [], block = []}>}>

// -----

// expected-error @+1 {{expected 'parent' to be a blocked layout or that of a matrix instruction}}
#a = #ttg.dot_op<{opIdx = 0, parent = "mma"}>

// -----

// expected-error @+1 {{expected no 'kWidth' with a blocked parent, found 2}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>, kWidth = 2}>

// -----

// expected-error @+1 {{expected 'parent' to have rank 2 or more, found 1}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>}>
