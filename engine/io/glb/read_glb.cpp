// Reads the vertices of glTF 2.0 files as points.
#include "engine/io/glb/read_glb.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/read_options.h"
#include "engine/io/glb/glb_columns.h"

#include <fmt/format.h>
#include <map>
#include <string_view>

namespace scanloupe {

bool beginsGlb(std::string_view head) {
    return head.starts_with("glTF");
}

std::shared_ptr<const PointCloud> readGlb(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const GlbFile glb = readGlbFile(file);
    GlbScene scene = readGlbScene(file, glb, stop);
    std::uint64_t claimed = 0, whole = 0;
    for (const GlbPrimitive& primitive : scene.primitives) {
        claimed += primitive.positions.count;
        whole += primitive.positions.whole;
    }
    if (whole == 0 && claimed > 0 && !glb.isBinary)
        throw EngineError("the data of the glTF file '" + file.name() + "' ends before its first vertex",
                          "Copy its data files again, or export the model as a single .glb file.");
    if (whole == 0 && claimed > 0)
        throwNothingWhole(file, claimed);
    const GlbLayout layout = planGlbColumns(file, scene, stop);
    CloudBuilder builder(file, layout.fields, static_cast<std::size_t>(whole));
    ProgressMeter meter(options.progress, layout.attributes.size() * whole);
    std::size_t row = 0;
    for (const GlbPrimitive& primitive : scene.primitives) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto rows = static_cast<std::size_t>(primitive.positions.whole);
        std::map<std::string_view, const GlbAccessor*> accessors = {{"POSITION", &primitive.positions}};
        for (const GlbAttribute& attribute : primitive.attributes)
            accessors.emplace(attribute.name, &attribute.accessor);
        for (const GlbColumns& columns : layout.attributes) {
            const auto found = accessors.find(columns.attribute);
            readGlbColumns(found == accessors.end() ? nullptr : found->second, primitive.transform, columns,
                           builder.targets(), row, rows, meter, stop);
        }
        row += rows;
    }
    auto cloud = builder.finish(-1, stop);
    cloud->format =
        glb.isBinary ? "GLB (glTF 2.0), turned from y up to z up" : "glTF 2.0, turned from y up to z up";
    warnOfFaces(*cloud, scene.faces, scene.facesCut && whole == claimed);
    if (whole < claimed)
        addDamage(*cloud, truncationWarning(whole, claimed));
    if (scene.instancesCut > 0)
        addDamage(*cloud, fmt::format("The file is truncated: {} instances of its meshes are missing.",
                                      scene.instancesCut));
    if (!layout.cut.empty())
        addDamage(*cloud, "The file is truncated: these attributes were left out since values are missing: " +
                              layout.cut.joined() + ".");
    if (!layout.fewer.empty())
        cloud->warnings.push_back(
            "These attributes were left out since they have fewer values than vertices: " +
            layout.fewer.joined() + ".");
    if (!scene.leftOut.empty())
        cloud->warnings.push_back(
            "Attributes that are not point data were left out: " + scene.leftOut.joined() + ".");
    for (const auto& [has, what] : {std::pair{scene.skinned, "skeletons"}, {scene.morphed, "morph targets"}})
        if (has)
            cloud->warnings.push_back(fmt::format(
                "The file has {}, which were not applied; vertices are shown in their original positions.",
                what));
    return cloud;
}

} // namespace scanloupe
