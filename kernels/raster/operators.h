#pragma once
// Operators of this folder that are implemented for CPU and CUDA; each dispatches to the backend of an
// Execution. Input and results are in the memory of that backend.
#include "kernels/core/execution.h"
#include "kernels/raster/colours/colour_values.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/resolve/mapped_colours.h"
#include "kernels/raster/resolve/resolve.h"
#include "kernels/raster/resolve/samples.h"
#include "kernels/raster/view_item.h"
#include "kernels/sycl/sycl_device.h"

namespace scanloupe {

/// Returns the column's values, [count]; see cpu::gatherValues.
inline Buffer<float> gatherValues(const ValueColumn& column, std::size_t count, const Execution& on) {
    return on.onDevice() ? cuda::gatherValues(column, count, *on.device)
                         : cpu::gatherValues(column, count, on.stop);
}
/// Returns the column's value at each index, [M]; NaN for kNoValueIndex.
inline Buffer<float> gatherValues(const ValueColumn& column, const Buffer<std::uint32_t>& indices,
                                  const Execution& on) {
    return on.onDevice() ? cuda::gatherValues(column, indices, *on.device)
                         : cpu::gatherValues(column, indices.span(), on.stop);
}
/// Returns the colours of values by a colour map, [count] RGBA; see cpu::mappedColours.
inline Buffer<std::uint32_t> mappedColours(const Buffer<float>& values, const Colouring& by,
                                           const Execution& on) {
    return on.onDevice() ? cuda::mappedColours(values, by, *on.device)
                         : cpu::mappedColours(values.span(), by, on.stop);
}

/// Returns the colours of ColourColumns or of a ClassColumn, [count] RGBA; see cpu::gatherColours.
template <class Columns>
Buffer<std::uint32_t> gatherColours(const Columns& columns, std::size_t count, const Execution& on) {
    return on.onDevice() ? cuda::gatherColours(columns, count, *on.device)
                         : cpu::gatherColours(columns, count, on.stop);
}
/// Returns the colour at each index, [M] RGBA; 0 for kNoValueIndex.
template <class Columns>
Buffer<std::uint32_t> gatherColours(const Columns& columns, const Buffer<std::uint32_t>& indices,
                                    const Execution& on) {
    return on.onDevice() ? cuda::gatherColours(columns, indices, *on.device)
                         : cpu::gatherColours(columns, indices.span(), on.stop);
}
/// Returns a flag per class that occurs, [K] on the host; see cpu::presentClasses.
inline Buffer<std::uint8_t> presentClasses(const std::uint32_t* codes, const std::uint32_t* mask,
                                           std::size_t count, std::size_t classes, const Execution& on) {
    return on.onDevice() ? cuda::presentClasses(codes, mask, count, classes, *on.device)
                         : cpu::presentClasses(codes, mask, count, classes, on.stop);
}
/// Returns the limits of the finite values; see cpu::limitsOf.
inline ValueLimits limitsOf(const Buffer<float>& values, const Execution& on) {
    return on.onDevice() ? cuda::limitsOf(values, *on.device) : cpu::limitsOf(values.span());
}

/// Draws a scene into a visibility buffer in host memory, see cpu::rasterize. Use FrameRenderer for frames on
/// the device.
inline VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                                  const Execution& on) {
    return on.bySycl() ? on.sycl->rasterize(scene, projection, stats, on.stop)
                       : cpu::rasterize(scene, projection, stats, on.stop);
}
/// Shades a visibility buffer into an image, see cpu::resolve.
inline Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene,
                     const Projection& projection, const Shading& shading, const Execution& on) {
    return on.bySycl() ? on.sycl->resolve(visibility, scene, projection, shading, on.stop)
                       : cpu::resolve(visibility, scene, projection, shading, on.stop);
}

/// Adds a picture to sums of samples, see cpu::addSample.
inline void addSample(SampleSums& sums, const Image& image, const Execution& on) {
    on.onDevice() ? cuda::addSample(sums, image, *on.device) : cpu::addSample(sums, image, on.stop);
}
/// Returns the mean of the samples, see cpu::meanOfSamples.
inline Image meanOfSamples(const SampleSums& sums, const Execution& on) {
    return on.onDevice() ? cuda::meanOfSamples(sums, *on.device) : cpu::meanOfSamples(sums, on.stop);
}

/// Packs vertices or boxes for OpenGL into device memory `out`, which must be large enough. All data is on
/// the device. Asynchronous. @throws KernelError
inline void packVertices(const TriangleMesh& mesh, const Colouring& colours, MeshVertex* out, StreamView on) {
    cuda::packVertices(mesh, colours, out, on);
}
inline void packBoxes(const VoxelGrid& voxels, const Colouring& colours, BoxInstance* out, StreamView on) {
    cuda::packBoxes(voxels, colours, out, on);
}

} // namespace scanloupe
