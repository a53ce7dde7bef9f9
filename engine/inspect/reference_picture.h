#pragma once
// Declares the picture of a reference, for picking points on it.
#include "kernels/core/vec3.h"

#include <stop_token>

namespace scanloupe {

struct Camera;
struct Picture;
enum class PrimitiveKind : std::uint32_t;
struct Reference;

/// Draws the reference in one colour, on the host.
/// @param camera in the scan's frame
/// @throws KernelError; Cancelled.
Picture referencePicture(const Reference& reference, const Camera& camera, int width, int height,
                         const std::stop_token& stop);

/// Returns the position of a picked point at the full precision of the reference: the point of a scan, or the
/// hit on a mesh. @param hit scan's frame
Vec3d referencePlace(const Reference& reference, PrimitiveKind kind, std::uint32_t index, Vec3d hit);

} // namespace scanloupe
