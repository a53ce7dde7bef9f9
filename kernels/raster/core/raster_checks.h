#pragma once
// Validates scenes and buffers before either backend draws them, and gathers the inputs of shading.
#include "kernels/raster/core/resolve_view.h"

namespace scanloupe {

/// Checks that a scene can be drawn. @throws KernelError when there are too many primitives, or a size or
/// scale is out of range.
void requireDrawable(const RasterScene& scene);
/// @throws KernelError for a buffer of another size.
void requireSize(const VisibilityBuffer& visibility, const Projection& projection);
/// @throws KernelError for a buffer of another size, or a strength out of its range.
void requireShadable(const VisibilityBuffer& visibility, const Projection& projection,
                     const Shading& shading);
[[noreturn]] void failUnknownPrimitive();
/// @param triangle the first one with a missing vertex
[[noreturn]] void failMissingVertex(std::uint64_t triangle);

/// Pointers are the scene's own; colourings without a map get viridis, on the host.
ResolveView resolveView(const RasterScene& scene, const Projection& projection, const Shading& shading);

} // namespace scanloupe
