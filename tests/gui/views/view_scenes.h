#pragma once
// Snapshots for tests of the views, built directly with the kernels.
#include "engine/cloud/bounds.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/snapshot_ptr.h"

#include <QImage>

namespace scanloupe::test {

/// A street as a simulated lidar sees it, in cubes of `voxel` metres.
gui::SnapshotPtr streetVoxels(std::uint64_t points, float voxel);
/// A bumpy sphere of approximately `triangles` triangles, radius about 1 m, with its vertices' normals.
gui::SnapshotPtr bumpyMesh(std::uint32_t triangles);
/// A copy with the software rasterizer's picture in it.
gui::SnapshotPtr withPicture(const gui::SnapshotPtr& snapshot, PictureContent show, const Camera& camera,
                             QSize size, bool eyeDome = false);
/// A copy with another recipe.
gui::SnapshotPtr withRecipe(const gui::SnapshotPtr& snapshot, const std::function<void(Recipe&)>& change);
Bounds boundsOf(const Snapshot& snapshot);

/// The picture's pixels.
QImage softwareImage(const Snapshot& snapshot);
/// Intersection over union of the pixels that differ from the background.
double silhouetteOverlap(const QImage& a, const QImage& b);
/// Mean difference of colour over the pixels that both draw, 0 to 255.
double meanDifference(const QImage& a, const QImage& b);
int drawnPixels(const QImage& image);

} // namespace scanloupe::test
