#pragma once
// Declares the flattened scene of a glTF file: the primitives of its meshes with their transforms to the
// scene.
#include "engine/io/glb/glb_file.h"
#include "kernels/core/vec3.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// An affine transform: p -> columns[0] p.x + columns[1] p.y + columns[2] p.z + origin.
struct Affine {
    Vec3d columns[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vec3d origin;

    /// Applies only the linear part, for directions and differences of positions.
    Vec3d transformDirection(Vec3d v) const { return columns[0] * v.x + columns[1] * v.y + columns[2] * v.z; }
    Vec3d operator()(Vec3d p) const { return transformDirection(p) + origin; }
    /// Returns the composition that applies `first`, then this transform.
    Affine composedWith(const Affine& first) const;
    /// Returns the transform of normals: the cofactor matrix, which keeps normals perpendicular to the
    /// surface.
    Affine normalTransform() const;
    /// Whether the transform only permutes coordinates and changes signs, so that they remain exact in single
    /// precision.
    bool isSignedPermutation() const;
};

/// Collects distinct names for a message. Only keeps the first 32, so that a damaged file does not cause an
/// endless message.
class GlbNames {
public:
    void add(const std::string& name);
    bool empty() const { return m_names.empty(); }
    std::string joined() const; ///< returns e.g. "NORMAL, TANGENT"

private:
    std::vector<std::string> m_names;
    bool m_more = false;
};

struct GlbAttribute {
    std::string name; ///< glTF name: NORMAL, COLOR_0, _INTENSITY
    GlbAccessor accessor;
};

/// An instance of a mesh primitive at one node.
struct GlbPrimitive {
    GlbAccessor positions;
    std::vector<GlbAttribute> attributes;
    Affine transform; ///< transform to the scene, with z up
};

/// Faces of a primitive. Their corners are all vertices in order, or the vertices that `indices` specifies.
struct GlbFaces {
    std::size_t primitive = 0; ///< index in GlbScene::primitives of the primitive with these vertices
    std::uint64_t mode = 4;    ///< 4: triangles, 5: a strip, 6: a fan
    std::optional<GlbAccessor> indices;
};

struct GlbScene {
    std::vector<GlbPrimitive> primitives;
    std::vector<GlbFaces> faceLists; ///< readable face lists only
    std::uint64_t faces = 0;
    bool facesCut = false;          ///< whether faces are truncated by the end of the file
    std::uint64_t instancesCut = 0; ///< number of instances beyond the end of the file
    bool skinned = false;           ///< whether the scene has skins, which are not applied
    bool morphed = false;           ///< whether morph targets have weights, which are not applied
    GlbNames leftOut;               ///< names of attributes of vertices and instances that have no meaning
                                    ///< for points
};

/// Collects the primitives of a scene. @throws EngineError if the glTF JSON is invalid; Cancelled
GlbScene readGlbScene(const InputFile& file, const GlbFile& glb, const std::stop_token& stop);

} // namespace scanloupe
