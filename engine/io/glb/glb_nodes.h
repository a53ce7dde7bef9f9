#pragma once
// Declares the transforms of glTF nodes and of the instances of their meshes.
#include "engine/io/glb/glb_scene.h"

#include <vector>

namespace scanloupe {

/// From a node's coordinates to those of its parent. @throws EngineError
Affine nodeTransform(const GlbJson& node);

/// From the coordinates of each instance of a node's mesh to those of the node (EXT_mesh_gpu_instancing): the
/// identity for a node without that extension. Instances beyond the end of the file are counted in
/// GlbScene::instancesCut, their other attributes named in GlbScene::leftOut.
/// @throws EngineError when the extension is invalid, or there are millions of instances
std::vector<Affine> nodeInstances(const InputFile& file, const GlbFile& glb, const GlbJson& node,
                                  GlbScene& scene);

} // namespace scanloupe
