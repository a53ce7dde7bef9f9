// Lists the counts, the topology and the point distances of a mesh.
#include "gui/models/quality_properties.h"

#include "gui/models/number_text.h"

#include <QLocale>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return PropertyModel::tr(text);
}

QString withUnit(double value, const char* unit) {
    return QStringLiteral("%1 %2").arg(QLocale().toString(value, 'g', 5), tr(unit));
}

/// Metres, or millimetres where these are easier to read.
QString lengthText(double metres) {
    if (metres >= 1 || metres == 0)
        return QStringLiteral("%1 %2").arg(QLocale().toString(metres, 'f', metres < 100 ? 2 : 0), tr("m"));
    return QStringLiteral("%1 %2").arg(QLocale().toString(1000 * metres, 'g', 3), tr("mm"));
}

/// Names the kind of surface.
QString surfaceText(const MeshQuality& figures) {
    switch (figures.kind()) {
    case SurfaceKind::sheet:
        return tr("open sheet");
    case SurfaceKind::crust:
        return tr("crust with two sides, %1 thick").arg(lengthText(figures.thickness()));
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

void addTopology(Properties& all, const MeshQuality& figures) {
    const MeshTopology& topology = figures.topology;
    const bool closed = figures.triangles > 0 && topology.closed();
    all.push_back({tr("Surface"), surfaceText(figures)});
    all.push_back({tr("Parts"), countText(topology.components)});
    all.push_back({tr("Holes"), countText(topology.holes())});
    all.push_back({tr("Euler number"), QLocale().toString(qlonglong(topology.euler))});
    all.push_back({tr("Boundary edges"), countText(topology.boundaryEdges)});
    all.push_back({tr("Rims"), countText(topology.rims.count)});
    all.push_back({tr("Length of rims"), lengthText(topology.rims.length)});
    all.push_back({tr("Longest rim"), lengthText(topology.rims.longest)});
    all.push_back({tr("Branching edges"), countText(topology.nonManifoldEdges)});
    all.push_back({tr("Area"), withUnit(topology.area, "m²")});
    all.push_back({tr("Volume"), closed ? withUnit(topology.volume, "m³") : tr("none: it is open")});
}

} // namespace

Properties qualityProperties(const Snapshot& snapshot, const MeshQuality* figures) {
    if (!snapshot.mesh)
        return {};
    Properties all{{tr("Triangles"), countText(snapshot.mesh->triangleCount())},
                   {tr("Vertices"), countText(snapshot.mesh->vertexCount())},
                   {tr("Without area"), countText(snapshot.mesh->zeroAreaTriangles)}};
    if (!figures)
        return all;
    addTopology(all, *figures);
    const DistanceStats& stats = figures->distances.stats;
    if (stats.count == 0)
        return all;
    all.push_back({tr("Points to mesh, mean"), lengthText(stats.mean)});
    all.push_back({tr("Root mean square"), lengthText(stats.rms)});
    all.push_back({tr("95 % within"), lengthText(stats.p95)});
    all.push_back({tr("Farthest"), lengthText(stats.max)});
    all.push_back({tr("Measured points"), measuredPointsText(*figures)});
    return all;
}

} // namespace scanloupe::gui
