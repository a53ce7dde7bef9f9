#pragma once
// The stages that the window makes itself, of which the graph only knows what they show.
#include "engine/graph/stage_table.h"

#include <vector>

namespace scanloupe {

/// The parameters that colours depend on, of the picture as of the views.
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
