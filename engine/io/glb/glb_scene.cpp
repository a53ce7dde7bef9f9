// Traverses the node hierarchy of a glTF scene, and collects its primitives with their global transforms.
#include "engine/io/glb/glb_scene.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/error.h"
#include "engine/io/glb/glb_nodes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxPrimitiveAttributes = 4096;
constexpr std::size_t kMaxSceneAttributes = std::size_t{1} << 22; // maximum number of attributes of all
                                                                  // nodes' primitives
constexpr std::size_t kMaxNames = 32;

/// Returns the transform from the coordinates of a file, with y up, to those with z up. The centre of
/// CESIUM_RTC is in coordinates with z up (usually geocentric): CesiumJS, cesium-native and 3DTilesRendererJS
/// add it after rotating the scene.
Affine rootTransform(const GlbJson& root) {
    Affine transform{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {}}; // 90 degrees about x
    const GlbJson relative = root.object("extensions").object("CESIUM_RTC");
    if (relative.has("center")) {
        const auto centre = relative.numbers("center", 3);
        transform.origin = {centre[0], centre[1], centre[2]};
    }
    return transform;
}

/// Whether an attribute has no meaning for points: tangents (for normal maps) and skinning weights.
bool isNoPointData(const std::string& name) {
    return name == "TANGENT" || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
}

/// Whether an attribute is a matrix, or a normal without three components.
bool isNoPointData(const std::string& name, const GlbAccessor& accessor) {
    return accessor.components > 4 || (name == "NORMAL" && accessor.components != 3);
}

std::uint64_t faceCount(std::uint64_t mode, std::uint64_t corners) {
    if (mode == 4)
        return corners / 3;
    return (mode == 5 || mode == 6) && corners > 2 ? corners - 2 : 0; // modes of strips and fans
}

/// Whether a node or a mesh applies morph targets.
bool hasWeights(const GlbJson& json) {
    return std::ranges::any_of(json.array("weights").json(), [](const GlbJson::Json& weight) {
        return weight.is_number() && weight.get<double>() != 0;
    });
}

class SceneTraversal {
public:
    SceneTraversal(const InputFile& file, const GlbFile& glb, const std::stop_token& stop)
        : m_file(file), m_glb(glb), m_stop(stop), m_root(*glb.description, file),
          m_nodes(m_root.array("nodes")), m_toZUp(rootTransform(m_root)), m_visited(m_nodes.size()) {}

    GlbScene run() {
        for (const std::uint64_t node : roots())
            visitTree(node);
        if (m_nodes.size() == 0) // a mesh library without a scene
            for (std::size_t mesh = 0; mesh < m_root.array("meshes").size(); ++mesh)
                addMesh(mesh, m_toZUp);
        return std::move(m_scene);
    }

private:
    std::vector<std::uint64_t> roots() const {
        const GlbJson scenes = m_root.array("scenes");
        if (scenes.size() > 0)
            return scenes.at(m_root.count("scene", 0)).indices("nodes");
        std::vector<bool> isChild(m_nodes.size());
        for (std::size_t node = 0; node < m_nodes.size(); ++node)
            for (const std::uint64_t child : m_nodes.at(node).indices("children"))
                if (child < isChild.size())
                    isChild[static_cast<std::size_t>(child)] = true;
        std::vector<std::uint64_t> found;
        for (std::size_t node = 0; node < isChild.size(); ++node)
            if (!isChild[node])
                found.push_back(node);
        return found;
    }

    void visitTree(std::uint64_t root) {
        std::vector<std::pair<std::uint64_t, Affine>> open = {{root, m_toZUp}};
        while (!open.empty()) {
            if (m_stop.stop_requested())
                throw Cancelled();
            const auto [index, parent] = open.back();
            open.pop_back();
            const GlbJson node = m_nodes.at(index);
            if (m_visited[static_cast<std::size_t>(index)])
                m_root.refuse("its node " + std::to_string(index) + " has two parents");
            m_visited[static_cast<std::size_t>(index)] = true;
            const Affine transform = parent.composedWith(nodeTransform(node));
            if (node.has("mesh"))
                for (const Affine& instance : nodeInstances(m_file, m_glb, node, m_scene))
                    addMesh(node.count("mesh", 0), transform.composedWith(instance));
            m_scene.skinned = m_scene.skinned || node.has("skin");
            m_scene.morphed = m_scene.morphed || hasWeights(node);
            auto children = node.indices("children");
            for (auto child = children.rbegin(); child != children.rend(); ++child)
                open.emplace_back(*child, transform);
        }
    }

    void addMesh(std::uint64_t index, const Affine& transform) {
        limitAttributes(0); // counts instances without primitives, too, since each costs time
        const GlbJson mesh = m_root.array("meshes").at(index), primitives = mesh.array("primitives");
        m_scene.morphed = m_scene.morphed || hasWeights(mesh);
        std::map<std::uint64_t, std::size_t>
            taken; // index of the primitive for each position accessor, since primitives may share vertices
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            if (m_stop.stop_requested())
                throw Cancelled();
            const GlbJson primitive = primitives.at(p), attributes = primitive.object("attributes");
            limitAttributes(attributes.size());
            if (!attributes.has("POSITION"))
                continue;
            if (primitive.object("extensions").has("KHR_draco_mesh_compression") &&
                !m_root.array("accessors").at(attributes.count("POSITION", 0)).has("bufferView"))
                throw EngineError(
                    "the glTF file '" + m_file.name() +
                        "' needs the extension KHR_draco_mesh_compression, which packs its vertices",
                    "Export it without compression, or unpack it, for example with Blender or "
                    "glTF-Transform.");
            const std::uint64_t positions = attributes.count("POSITION", 0);
            GlbPrimitive found{readGlbAccessor(m_file, m_glb, positions), {}, transform};
            if (found.positions.components != 3)
                primitive.refuse("its positions don't have three coordinates");
            const auto [known, isNew] = taken.emplace(positions, m_scene.primitives.size());
            addFaces(primitive, found.positions, known->second);
            if (!isNew)
                continue;
            addAttributes(found, attributes);
            m_scene.primitives.push_back(std::move(found));
        }
    }

    /// Limits the number of attributes. Otherwise a small file could exhaust memory by instantiating its
    /// meshes at many nodes.
    void limitAttributes(std::size_t attributes) {
        if (attributes > kMaxPrimitiveAttributes)
            m_root.refuse("a mesh has more than " + std::to_string(kMaxPrimitiveAttributes) + " attributes");
        m_attributes += 1 + attributes; // a primitive without attributes counts as well
        if (m_attributes > kMaxSceneAttributes)
            m_root.refuse("it repeats its meshes millions of times");
    }

    void addAttributes(GlbPrimitive& found, const GlbJson& attributes) {
        found.attributes.reserve(attributes.size());
        for (const auto& [name, value] : attributes.json().items()) {
            if (name == "POSITION")
                continue;
            if (isNoPointData(name)) { // checked before reading the accessor, which may be unreadable
                m_scene.leftOut.add(name);
                continue;
            }
            if (!value.is_number_unsigned())
                attributes.refuse("its '" + name + "' is not an integer");
            const GlbAccessor accessor = readGlbAccessor(m_file, m_glb, value.get<std::uint64_t>());
            if (isNoPointData(name, accessor))
                m_scene.leftOut.add(name);
            else
                found.attributes.push_back({name, accessor});
        }
    }

    void addFaces(const GlbJson& primitive, const GlbAccessor& positions, std::size_t place) {
        const std::uint64_t mode = primitive.count("mode", 4);
        if (!primitive.has("indices")) {
            m_scene.faces += faceCount(mode, positions.count);
            m_scene.faceLists.push_back({place, mode, std::nullopt});
            return;
        }
        const std::uint64_t index = primitive.count("indices", 0);
        const GlbJson accessor = m_root.array("accessors").at(index);
        if (accessor.has("sparse") || !accessor.has("bufferView")) { // unreadable, but still counted
            m_scene.faces += faceCount(mode, accessor.count("count", 0));
            return;
        }
        const GlbAccessor indices = readGlbAccessor(m_file, m_glb, index);
        m_scene.faces += faceCount(mode, indices.count);
        m_scene.faceLists.push_back({place, mode, indices});
        m_scene.facesCut = m_scene.facesCut || indices.whole < indices.count;
    }

    const InputFile& m_file;
    const GlbFile& m_glb;
    const std::stop_token& m_stop;
    GlbJson m_root, m_nodes;
    Affine m_toZUp;
    std::vector<bool> m_visited;  ///< [nodes] whether the node was visited
    std::size_t m_attributes = 0; ///< total over all visited primitives
    GlbScene m_scene;
};

} // namespace

void GlbNames::add(const std::string& name) {
    if (std::find(m_names.begin(), m_names.end(), name) != m_names.end())
        return;
    m_more = m_more || m_names.size() == kMaxNames;
    if (m_names.size() < kMaxNames)
        m_names.push_back(name);
}

std::string GlbNames::joined() const {
    return fmt::format("{}{}", fmt::join(m_names, ", "), m_more ? " and more" : "");
}

Affine Affine::composedWith(const Affine& first) const {
    Affine both;
    for (std::size_t c = 0; c < 3; ++c)
        both.columns[c] = transformDirection(first.columns[c]);
    both.origin = (*this)(first.origin);
    return both;
}

Affine Affine::normalTransform() const {
    return {{cross(columns[1], columns[2]), cross(columns[2], columns[0]), cross(columns[0], columns[1])},
            {}};
}

bool Affine::isSignedPermutation() const {
    const auto isAxis = [](Vec3d v) {
        return (v.x == 0) + (v.y == 0) + (v.z == 0) == 2 && std::abs(v.x + v.y + v.z) == 1;
    };
    return origin == Vec3d{} && isAxis(columns[0]) && isAxis(columns[1]) && isAxis(columns[2]);
}

GlbScene readGlbScene(const InputFile& file, const GlbFile& glb, const std::stop_token& stop) {
    return SceneTraversal(file, glb, stop).run();
}

} // namespace scanloupe
