#pragma once
// What stands in a glTF scene: the vertices of meshes, each with its node's place.
#include "engine/io/glb_file.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

/// p -> columns[0] p.x + columns[1] p.y + columns[2] p.z + origin
struct Affine {
    Vec3d columns[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vec3d origin;

    /// A direction or a difference of places.
    Vec3d transformDirection(Vec3d v) const { return columns[0] * v.x + columns[1] * v.y + columns[2] * v.z; }
    Vec3d operator()(Vec3d p) const { return transformDirection(p) + origin; }
    /// This after `first`.
    Affine composedWith(const Affine& first) const;
    /// How normals turn: the matrix of cofactors, which keeps them upright on the surface.
    Affine normalTransform() const;
    /// True when coordinates only change places and signs.
    bool isSignedPermutation() const;
};

/// Names for a sentence, each once; of a great many only the first, so that a damaged file makes no endless
/// one.
class GlbNames {
public:
    void add(const std::string& name);
    bool empty() const { return m_names.empty(); }
    std::string joined() const; ///< "NORMAL, TANGENT"

private:
    std::vector<std::string> m_names;
    bool m_more = false;
};

struct GlbAttribute {
    std::string name; ///< as glTF calls it: NORMAL, COLOR_0, _INTENSITY
    GlbAccessor accessor;
};

/// The vertices of one primitive at one node.
struct GlbPrimitive {
    GlbAccessor positions;
    std::vector<GlbAttribute> attributes;
    Affine transform; ///< to coordinates with z up
};

struct GlbScene {
    std::vector<GlbPrimitive> primitives;
    std::uint64_t faces = 0;
    bool facesCut = false; ///< the file ends within them
    bool skinned = false;  ///< has skeletons, whose poses are not applied
    GlbNames leftOut;      ///< of attributes that are no values of points
};

/// @throws EngineError when the description is wrong; Cancelled
GlbScene readGlbScene(const InputFile& file, const GlbFile& glb, const std::stop_token& stop);

} // namespace scanloupe
