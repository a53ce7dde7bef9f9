#pragma once
#include "engine/pipeline/pipeline.h"

namespace scanloupe {

/// What a pixel of a picture shows.
struct PickedPixel {
    std::uint32_t id = 0; ///< 0: nothing
    float depth = 0;      ///< metres along the view; infinite for nothing
};

/// Of a picture on the device this one pixel is copied, not all of them. @throws KernelError
PickedPixel pickPixel(const Picture& picture, int x, int y);

} // namespace scanloupe
