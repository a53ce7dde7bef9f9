#pragma once
// Computes SHA-256 (FIPS 180-4) of messages of 32-bit words, one message per thread.
#include <cstdint>

namespace scanloupe::cuda {

__constant__ static const std::uint32_t kSha256Rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Computes the checksum of a message that one thread adds word by word.
/// @tparam Stride distance between the words of a thread's block in shared memory, so that the threads of a
/// warp use all banks
template <int Stride>
class Sha256Words {
public:
    /// @param block memory for 16 words of this thread, in shared memory
    __device__ explicit Sha256Words(std::uint32_t* block) : m_block(block) {}

    /// Adds four bytes in their memory order.
    __device__ void add(std::uint32_t word) {
        put(__byte_perm(word, 0, 0x0123));
        ++m_words;
    }

    /// Ends the message. @param tail its last bytes, the first byte in the low bits @param tailBytes 0 or 2
    __device__ void finish(std::uint32_t tail, int tailBytes, std::uint32_t (&digest)[8]) {
        const std::uint64_t bits = 32 * m_words + std::uint64_t(8 * tailBytes);
        put(tailBytes == 0 ? 0x80000000u : (__byte_perm(tail, 0, 0x0123) & 0xffff0000u) | 0x8000u);
        while (m_at != 14)
            put(0);
        put(std::uint32_t(bits >> 32));
        put(std::uint32_t(bits));
        for (int i = 0; i < 8; ++i)
            digest[i] = __byte_perm(m_state[i], 0, 0x0123);
    }

private:
    __device__ static std::uint32_t rotated(std::uint32_t x, int n) { return __funnelshift_r(x, x, n); }

    __device__ void put(std::uint32_t word) {
        m_block[m_at * Stride] = word;
        if (++m_at == 16) {
            compress();
            m_at = 0;
        }
    }

    __device__ void compress() {
        std::uint32_t w[16], s[8];
#pragma unroll
        for (int i = 0; i < 16; ++i)
            w[i] = m_block[i * Stride];
#pragma unroll
        for (int i = 0; i < 8; ++i)
            s[i] = m_state[i];
#pragma unroll
        for (int t = 0; t < 64; ++t) {
            if (t >= 16) {
                const std::uint32_t a = w[(t + 1) % 16], b = w[(t + 14) % 16];
                w[t % 16] += (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[(t + 9) % 16] +
                             (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
            }
            const std::uint32_t one = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
                                      ((s[4] & s[5]) ^ (~s[4] & s[6])) + kSha256Rounds[t] + w[t % 16];
            const std::uint32_t two = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + one;
            s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = one + two;
        }
#pragma unroll
        for (int i = 0; i < 8; ++i)
            m_state[i] += s[i];
    }

    std::uint32_t* m_block;
    std::uint32_t m_state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::uint64_t m_words = 0;
    int m_at = 0; ///< index of the next word in the block
};

} // namespace scanloupe::cuda
