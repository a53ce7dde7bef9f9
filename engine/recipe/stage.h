#pragma once
// Names the stages of the pipeline. What each one is stands in engine/stages.
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// The stages, in the order of the data flow.
enum class Stage : std::uint8_t {
    upload,       ///< points in the layout that kernels read
    edit,         ///< points as the layers of edits leave them
    selection,    ///< which of them are selected
    voxelize,     ///< voxels with means and classes
    field,        ///< the scalar field
    autoIso,      ///< an iso-value chosen from the field
    sculpt,       ///< the field as brushes leave it
    shownVoxels,  ///< voxels as brushes leave them, or those that a volume's surface lies in
    extract,      ///< the surface
    clean,        ///< the surface after clean-up
    smooth,       ///< the surface with its vertices moved by a low-pass filter
    section,      ///< the lines in which the section cuts the surface
    pointSearch,  ///< a search tree over the points in range
    distances,    ///< from the surface's vertices to the points
    topology,     ///< edges and components of the surface
    triangleTree, ///< a search tree over the surface's triangles
    quality,      ///< quality measures of the surface
    scene,        ///< what is drawn, with its colours
    picture,      ///< the rendered pixels
    voxelView,    ///< boxes and colours of the window's voxel view, which it makes itself
    meshView,     ///< triangles and colours of the window's mesh view, which it makes itself
};
inline constexpr std::size_t kStageCount = 21;

} // namespace scanloupe
