#pragma once
// Declares the transforms of glTF nodes and of the instances of their meshes.
#include "engine/io/glb/glb_scene.h"

#include <vector>

namespace scanloupe {

/// Returns the transform from a node's coordinates to those of its parent. @throws EngineError
Affine nodeTransform(const GlbJson& node);

/// Returns the transform from the coordinates of each instance of a node's mesh to those of the node
/// (EXT_mesh_gpu_instancing); the identity for a node without this extension. GlbScene::instancesCut counts
/// instances beyond the end of the file; GlbScene::leftOut names their other attributes.
/// @throws EngineError if the extension is invalid, or there are millions of instances
std::vector<Affine> nodeInstances(const InputFile& file, const GlbFile& glb, const GlbJson& node,
                                  GlbScene& scene);

} // namespace scanloupe
