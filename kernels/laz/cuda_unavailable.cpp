// Provides stubs for decoding on the device in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/laz/decode_chunks.h"

namespace scanloupe::cuda {

std::size_t lazChunksAtOnce(const laz::RecordShape&, std::uint64_t, std::uint64_t) {
    detail::throwNoCuda();
}
laz::DecodedChunks decodeLazChunks(const laz::LayeredChunks&, const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
