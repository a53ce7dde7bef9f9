// Lists the counts, the topology and the point distances of a mesh.
#include "gui/models/quality_properties.h"

#include "engine/results/quality.h"
#include "engine/results/snapshot.h"
#include "gui/base/length_text.h"
#include "gui/text/number_text.h"

#include <QLocale>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return PropertyModel::tr(text);
}

QString spaceText(double value, LengthUnit unit, int power) {
    return withUnit(QLocale().toString(value, 'g', 5), unit, power);
}

/// Names the kind of surface.
QString surfaceText(const MeshQuality& figures, LengthUnit unit) {
    switch (figures.kind()) {
    case SurfaceKind::sheet:
        return tr("open sheet");
    case SurfaceKind::crust:
        return tr("two-sided crust, %1 thick").arg(lengthText(figures.thickness(), unit));
    case SurfaceKind::solid:
        return tr("closed solid");
    case SurfaceKind::none:
        break;
    }
    return tr("none");
}

/// Number of points whose distances were measured.
QString measuredPointsText(const MeshQuality& figures) {
    const QString points = countText(figures.distances.stats.count);
    return figures.ofAllPoints() ? points : tr("%1, 1 in %2").arg(points, countText(figures.stride));
}

void addTopology(Properties& all, const MeshQuality& figures, LengthUnit unit) {
    const MeshTopology& topology = figures.topology;
    const bool closed = figures.triangles > 0 && topology.closed();
    all.push_back({tr("Surface"), surfaceText(figures, unit)});
    all.push_back({tr("Parts"), countText(topology.components)});
    all.push_back({tr("Holes"), countText(topology.holes())});
    all.push_back({tr("Euler number"), QLocale().toString(qlonglong(topology.euler))});
    all.push_back({tr("Boundary edges"), countText(topology.boundaryEdges)});
    all.push_back({tr("Boundary loops"), countText(topology.rims.count)});
    all.push_back({tr("Boundary length"), lengthText(topology.rims.length, unit)});
    all.push_back({tr("Longest loop"), lengthText(topology.rims.longest, unit)});
    all.push_back({tr("Non-manifold edges"), countText(topology.nonManifoldEdges)});
    all.push_back({tr("Area"), spaceText(topology.area, unit, 2)});
    all.push_back({tr("Volume"), closed ? spaceText(topology.volume, unit, 3) : tr("none (open surface)")});
}

} // namespace

Properties qualityProperties(const Snapshot& snapshot, const MeshQuality* figures, LengthUnit unit) {
    if (!snapshot.mesh)
        return {};
    Properties all{{tr("Triangles"), countText(snapshot.mesh->triangleCount())},
                   {tr("Vertices"), countText(snapshot.mesh->vertexCount())},
                   {tr("Zero-area triangles"), countText(snapshot.mesh->zeroAreaTriangles)}};
    if (!figures)
        return all;
    addTopology(all, *figures, unit);
    const DistanceStats& stats = figures->distances.stats;
    if (stats.count == 0)
        return all;
    all.push_back({tr("Points to mesh, mean"), lengthText(stats.mean, unit)});
    all.push_back({tr("Root mean square"), lengthText(stats.rms, unit)});
    all.push_back({tr("95 % within"), lengthText(stats.p95, unit)});
    all.push_back({tr("Maximum"), lengthText(stats.max, unit)});
    all.push_back({tr("Measured points"), measuredPointsText(*figures)});
    return all;
}

} // namespace scanloupe::gui
