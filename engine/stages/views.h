#pragma once
// Declares stages that the window computes itself. The graph only knows what they depend on.
#include "engine/graph/stage_table.h"

#include <vector>

namespace scanloupe {

/// Returns the parameters that colours depend on, both in the picture and in the views.
std::vector<ReadParameter> readByColours();

/// Boxes and colours of the voxel view.
struct VoxelViewStage {
    static StageDeclaration declaration();
};

/// Triangles and colours of the mesh view.
struct MeshViewStage {
    static StageDeclaration declaration();
};

} // namespace scanloupe
