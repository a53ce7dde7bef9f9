// Converts a brick's samples into sign bits with SSE2 comparisons of four values; every x86-64 CPU supports
// SSE2.
#include "kernels/field/core/node_bits.h"
#include "kernels/field/core/scalar_field.h"

#include <immintrin.h>

namespace scanloupe::cpu {

void nodeBits(const float* values, float iso, bool insideBelow, std::uint64_t* inside, std::uint64_t* known) {
    const __m128 limit = _mm_set1_ps(iso), zero = _mm_setzero_ps();
    const std::uint64_t flip = insideBelow ? 0 : ~std::uint64_t{0};
    for (int z = 0; z < kBrickEdge; ++z, values += 64) {
        std::uint64_t below = 0;
        __m128 all = _mm_cmpeq_ps(zero, zero);
        for (int i = 0; i < 64; i += 16) {
            unsigned sixteen = 0;
            for (int k = 0; k < 16; k += 4) {
                const __m128 four = _mm_loadu_ps(values + i + k);
                sixteen |= static_cast<unsigned>(_mm_movemask_ps(_mm_cmplt_ps(four, limit))) << k;
                // false for NaN and infinity
                all = _mm_and_ps(all, _mm_cmpeq_ps(_mm_sub_ps(four, four), zero));
            }
            below |= std::uint64_t{sixteen} << i;
        }
        inside[z] = below ^ flip;
        known[z] = ~std::uint64_t{0};
        if (_mm_movemask_ps(all) == 0xf) // usually all four values are finite
            continue;
        known[z] = 0;
        for (int i = 0; i < 64; i += 4) {
            const __m128 four = _mm_loadu_ps(values + i);
            known[z] |= std::uint64_t(_mm_movemask_ps(_mm_cmpeq_ps(_mm_sub_ps(four, four), zero))) << i;
        }
    }
}

} // namespace scanloupe::cpu
