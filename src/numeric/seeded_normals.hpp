// Standard normal numbers from a seed, the ones that PyTorch's CPU generator gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rmsnorm::numeric {

/// `16 * blocks` binary32 numbers: what `torch.manual_seed(seed); torch.randn(16 * blocks)` gives,
/// within 2e-6. A block takes sixteen outputs r of the Mersenne Twister MT19937, as u = (r mod
/// 2^24) / 2^24, and turns them into normal numbers by the Box-Muller transform: with u1 = 1 - u[j]
/// and u2 = u[j + 8], sqrt(-2 log u1) cos(2 pi u2) at j and sqrt(-2 log u1) sin(2 pi u2) at j + 8.
/// Each is computed in binary64 and rounded once to binary32, where PyTorch works in binary32
/// throughout.
std::vector<float> seeded_normals(std::uint32_t seed, std::size_t blocks);

}  // namespace rmsnorm::numeric
