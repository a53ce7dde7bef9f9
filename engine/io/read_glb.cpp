#include "engine/io/read_glb.h"

#include "engine/io/glb_columns.h"
#include "engine/io/mesh_note.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

std::shared_ptr<const PointCloud> readGlb(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const GlbFile glb = readGlbFile(file);
    GlbScene scene = readGlbScene(file, glb, stop);
    std::uint64_t claimed = 0, whole = 0;
    for (const GlbPart& part : scene.parts) {
        claimed += part.positions.count;
        whole += part.positions.whole;
    }
    if (whole == 0 && claimed > 0)
        throwNothingWhole(file, claimed);
    std::vector<std::string> cut;
    const GlbLayout layout = layOutGlb(scene, cut);
    CloudBuilder builder(file, layout.fields, static_cast<std::size_t>(whole));
    ProgressMeter meter(options.progress, layout.attributes.size() * whole);
    std::size_t row = 0;
    for (const GlbPart& part : scene.parts) {
        const auto rows = static_cast<std::size_t>(part.positions.whole);
        for (const GlbColumns& columns : layout.attributes) {
            const auto found =
                std::find_if(part.attributes.begin(), part.attributes.end(),
                             [&](const GlbAttribute& a) { return a.name == columns.attribute; });
            const GlbAccessor* accessor = columns.kind == GlbColumns::Kind::position ? &part.positions
                                          : found == part.attributes.end()           ? nullptr
                                                                                     : &found->accessor;
            readGlbColumns(file, accessor, part.place, columns, builder.targets(), row, rows, meter, stop);
        }
        row += rows;
    }
    auto cloud = builder.finish(-1, stop);
    cloud->format = "GLB (glTF 2.0), turned from y up to z up";
    noteFaces(*cloud, scene.faces, scene.facesCut && whole == claimed);
    if (whole < claimed)
        cloud->warnings.push_back(truncationWarning(whole, claimed));
    if (!cut.empty())
        cloud->warnings.push_back(fmt::format(
            "The file ends too early: not all vertices have a value of {}; left out.", fmt::join(cut, ", ")));
    if (!layout.leftOut.empty())
        cloud->warnings.push_back(fmt::format("Left out, since they are no values of points: {}.",
                                              fmt::join(layout.leftOut, ", ")));
    if (scene.posed)
        cloud->warnings.push_back("It has skeletons; vertices are shown as they lie before these move them.");
    return cloud;
}

} // namespace scanloupe
