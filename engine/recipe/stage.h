#pragma once
// Lists the stages of the pipeline. engine/stages implements them.
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// The stages, in the order of the data flow.
enum class Stage : std::uint8_t {
    upload,       ///< points in the memory layout of the kernels
    edit,         ///< points after the layers of edits
    selection,    ///< the selected points
    voxelize,     ///< voxels with means and classes
    field,        ///< the scalar field
    autoIso,      ///< iso-value chosen from the field
    sculpt,       ///< the field after brush strokes
    shownVoxels,  ///< voxels after brush strokes, or the voxels that contain a volume's surface
    extract,      ///< the surface
    clean,        ///< the surface after clean-up
    smooth,       ///< the surface smoothed by a low-pass filter
    section,      ///< lines in which the section intersects the surface
    pointSearch,  ///< search tree over the points in range
    distances,    ///< distances from the surface's vertices to the points
    topology,     ///< edges and connected components of the surface
    triangleTree, ///< search tree over the surface's triangles
    quality,      ///< quality measures of the surface
    scene,        ///< primitives to draw, with their colours
    picture,      ///< the rendered pixels
    voxelView,    ///< boxes and colours of the voxel view, which the window computes itself
    meshView,     ///< triangles and colours of the mesh view, which the window computes itself
};
inline constexpr std::size_t kStageCount = 21;

} // namespace scanloupe
