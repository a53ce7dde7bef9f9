// Describes defects of reference meshes.
#include "engine/inspect/reference_warnings.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"
#include "engine/io/mesh_reader.h"

#include "engine/io/common/mesh_warning.h"

#include <fmt/format.h>

namespace scanloupe {

namespace {

void addOrientationWarnings(const ShellOrientation& found, std::uint64_t triangles, bool isClosed,
                            std::vector<std::string>& warnings) {
    if (found.flippedTriangles > 0)
        warnings.push_back(
            fmt::format("{} of its {} triangles {} the opposite way to their neighbours: distances "
                        "from there have the wrong sign.",
                        found.flippedTriangles, triangles, found.flippedTriangles == 1 ? "faces" : "face"));
    if (found.oneSidedParts > 0)
        warnings.push_back(fmt::format(
            "{} of its parts {} only one side, like a Moebius strip: signs near {} are arbitrary.",
            found.oneSidedParts, found.oneSidedParts == 1 ? "has" : "have",
            found.oneSidedParts == 1 ? "it" : "them"));
    if (isClosed && found.closedParts > 0 &&
        found.facingInwards + found.facingOutwards == found.closedParts) {
        warnings.emplace_back("Its triangles face inwards: distances inside are positive.");
        return;
    }
    if (found.facingInwards > 0)
        warnings.push_back(fmt::format("{} of its {} {} inwards: distances within {} are positive.",
                                       found.facingInwards, found.closedParts,
                                       found.facingInwards == 1 ? "closed parts faces" : "closed parts face",
                                       found.facingInwards == 1 ? "that part" : "those parts"));
    if (found.facingOutwards > 0)
        warnings.push_back(
            fmt::format("{} of its {} closed parts {} inside another part and {} outwards, but "
                        "the wall of a cavity should face "
                        "inwards: points between the parts get the sign of the nearer part.",
                        found.facingOutwards, found.closedParts, found.facingOutwards == 1 ? "lies" : "lie",
                        found.facingOutwards == 1 ? "faces" : "face"));
}

} // namespace

std::vector<std::string> warningsOf(const MeshFile& file, const ReferenceMesh& reference) {
    std::vector<std::string> warnings;
    const MeshFaces& faces = file.faces;
    for (const std::string& warning : file.vertices->warnings)
        if (!tellsOfUnusedFaces(warning))
            warnings.push_back(warning);
    if (faces.isCut)
        warnings.push_back(damageWarning("The file is truncated: only the faces before its end are used."));
    if (faces.missing > 0)
        warnings.push_back(
            damageWarning(fmt::format("{} faces refer to missing vertices and are ignored.", faces.missing)));
    if (faces.collapsed > 0)
        warnings.push_back(fmt::format("{} faces have no area and are ignored.", faces.collapsed));
    if (reference.repeated > 0)
        warnings.push_back(fmt::format("{} triangles repeat others and are ignored.", reference.repeated));
    // A flipped edge is not a boundary: it counts as two boundary edges and one non-manifold edge.
    const ShellOrientation& orientation = reference.orientation;
    const std::uint64_t branching = reference.topology.nonManifoldEdges - orientation.flippedEdges;
    const std::uint64_t border = reference.topology.boundaryEdges - 2 * orientation.flippedEdges;
    if (branching > 0)
        warnings.push_back(
            fmt::format("{} edges have more than one triangle on a side: signs near them may be "
                        "those of either.",
                        branching));
    if (border > 0)
        warnings.push_back(fmt::format("It is open, with {} boundary edges: the sign means the side of "
                                       "the surface, not inside or outside.",
                                       border));
    addOrientationWarnings(orientation, reference.mesh.triangleCount(), border == 0, warnings);
    return warnings;
}

} // namespace scanloupe
