#include "engine/pipeline/pick.h"

namespace scanloupe {

PickedPixel pickPixel(const Picture& picture, int x, int y) {
    const Resident<VisibilityBuffer>& seen = picture.visibility;
    const Projection projection(picture.camera, seen->width, seen->height);
    if (seen.hasHost())
        return {seen.host().id(x, y), seen.host().depth(x, y, projection)};
    const Stream stream; // not the worker's, on which others wait
    VisibilityBuffer one{1, 1, Buffer<std::uint64_t>::host(1)};
    const std::size_t place =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(seen->width) + static_cast<std::size_t>(x);
    detail::copyBytes(one.pixels.data(), MemorySpace::host, seen.device().pixels.data() + place,
                      MemorySpace::device, sizeof(std::uint64_t), stream);
    stream.view().synchronize();
    return {one.id(0, 0), one.depth(0, 0, projection)};
}

} // namespace scanloupe
