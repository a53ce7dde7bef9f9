#pragma once
// Validates scenes and buffers before either backend draws them, and gathers the inputs of shading.
#include "kernels/raster/core/resolve_view.h"

namespace scanloupe {

/// Checks that a scene can be drawn. @throws KernelError if there are too many primitives, or a size or scale
/// is out of range
void requireDrawable(const RasterScene& scene);
/// Checks the size of a visibility buffer. @throws KernelError if it differs from the picture's
void requireSize(const VisibilityBuffer& visibility, const Projection& projection);
/// Checks the input of shading. @throws KernelError for a buffer of another size, or a strength out of range
void requireShadable(const VisibilityBuffer& visibility, const Projection& projection,
                     const Shading& shading);
[[noreturn]] void failUnknownPrimitive();
/// Reports a missing vertex. @param triangle the first triangle that refers to it @throws KernelError
[[noreturn]] void failMissingVertex(std::uint64_t triangle);

/// Gathers the inputs of shading. Pointers refer to the scene's data; colourings without a map use viridis,
/// on the host.
ResolveView resolveView(const RasterScene& scene, const Projection& projection, const Shading& shading);

} // namespace scanloupe
