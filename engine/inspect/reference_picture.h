#pragma once
// Declares the picture of a reference alone, for picking points of it.
#include "kernels/core/vec3.h"

#include <stop_token>

namespace scanloupe {

struct Camera;
struct Picture;
enum class PrimitiveKind : std::uint32_t;
struct Reference;

/// The reference in one colour, drawn on the host.
/// @param camera in the scan's frame @throws KernelError; Cancelled.
Picture referencePicture(const Reference& reference, const Camera& camera, int width, int height,
                         const std::stop_token& stop);

/// A point that such a picture shows, as exact as the reference has it: a point of a scan, or the hit of a
/// mesh. @param hit scan's frame
Vec3d referencePlace(const Reference& reference, PrimitiveKind kind, std::uint32_t index, Vec3d hit);

} // namespace scanloupe
