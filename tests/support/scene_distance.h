#pragma once
// The true distance from the surfaces of generated scenes.
#include "kernels/synth/scan_generator_element.h"

namespace scanloupe::synth {

/// True signed distance from the scene's surface at p, metres; positive in the free space that contains the
/// sensor. Exact near surfaces (the bumpy sphere: within some centimetres), and inside solids a lower bound
/// of the true distance.
inline double signedDistance(Scene scene, Vec3d p) {
    return sceneDistance(sceneGeometry(), scene, p);
}

} // namespace scanloupe::synth
