#pragma once
// The stages with the last result of each: what is stale runs, what isn't is taken again.
#include "engine/pipeline/pipeline.h"
#include "kernels/core/stream.h"
#include "kernels/mesh/box_tree.h"
#include "kernels/raster/samples.h"

#include <optional>

namespace scanloupe {

class PictureScene;

/// What one run hands from stage to stage.
struct RunContext {
    const Recipe* recipe = nullptr; ///< resolved, but for the iso-value
    const BackendChoice* backend = nullptr;
    std::shared_ptr<const Stream> stream; ///< null on the CPU
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    std::uint64_t memoryLimit = 0;       ///< bytes; 0: what is available
    std::uint64_t deviceMemoryLimit = 0; ///< bytes on the device; 0: what is free
    std::stop_token stop;
    RunTimings* timings = nullptr;
    double pictureMs = 0; ///< RunOptions::pictureMs
};

/// A result and what it was made from.
template <class Key, class Handle>
struct Memo {
    std::optional<Key> key;
    Handle value{}; ///< a shared pointer, a Resident or a number
};

/// A surface after clean-up.
struct CleanSurface {
    Resident<TriangleMesh> mesh; ///< the very one that came in, when there was nothing to remove
    CleanUp counts;
};

/// One quality's results; a chain for previews stands beside the one for whole runs.
class Chain {
public:
    /// Takes every `stride`-th point, and voxels that are `coarsening` times as large as the recipe says.
    Chain(std::size_t stride, double coarsening) : m_stride(stride), m_coarsening(coarsening) {}

    /// True when voxels and field of this recipe are there already.
    bool isFresh(const RunContext& run) const;

    std::shared_ptr<const KernelPoints> upload(const RunContext& run);
    Resident<VoxelGrid> voxelize(const RunContext& run);
    Resident<ScalarField> field(const RunContext& run);
    /// The iso-value that the recipe means: its own, or one that suits the field.
    double isoFor(const RunContext& run);
    Resident<TriangleMesh> extract(const RunContext& run, double iso);
    /// The surface without what the recipe removes, which the stages after it take; null when nothing is to
    /// be removed.
    std::shared_ptr<const CleanSurface> clean(const RunContext& run);
    /// How far the surface's vertices are from the nearest point in range, [M] metres; null when the recipe
    /// doesn't colour by that.
    std::shared_ptr<const Buffer<float>> vertexDistances(const RunContext& run);
    /// Figures of the mesh of `of`, results of this chain, with distances of at most so many points, evenly
    /// chosen; of more where these have been measured already.
    std::shared_ptr<const MeshQuality> quality(const RunContext& run, const Snapshot& of,
                                               std::size_t mostPoints);
    /// The figures of these very results, where they have been measured; else null.
    std::shared_ptr<const MeshQuality> knownQuality(const Snapshot& of) const;
    /// `of`: what this run has found so far.
    std::shared_ptr<const Picture> picture(const RunContext& run, const Snapshot& of);
    /// The picture of these results, with so many samples a pixel.
    std::shared_ptr<const Picture> refine(const RunContext& run, const Snapshot& of, int samples);
    /// What pictures of these results are drawn from, and the camera that they are taken with.
    std::shared_ptr<const PictureScene> scene(const RunContext& run, const Snapshot& of);
    Camera camera(const RunContext& run) const;

private:
    struct FieldKey {
        std::shared_ptr<const void> source;
        FieldKind kind{};
        float radius = 0;
        std::optional<Vec3d> sensor;
        bool operator==(const FieldKey&) const = default;
    };
    struct ExtractKey {
        Resident<ScalarField> field;
        float iso = 0;
        bool operator==(const ExtractKey&) const = default;
    };
    struct CleanKey {
        Resident<TriangleMesh> mesh;
        std::uint64_t minTriangles = 0, decimateTo = 0;
        bool operator==(const CleanKey&) const = default;
    };
    /// A surface and the voxels of the points that it is compared with.
    struct DistanceKey {
        Resident<TriangleMesh> mesh;
        Resident<VoxelGrid> voxels;
        bool operator==(const DistanceKey&) const = default;
    };
    struct PointSearch {
        Buffer<Vec3f> points; ///< [N, 3]; those out of range are no numbers
        BoxTree tree;
    };
    struct SceneKey {
        std::shared_ptr<const void> shown, voxels, distances;
        Recipe recipe; ///< with everything that the scene doesn't depend on at its default
        bool operator==(const SceneKey&) const = default;
    };
    struct PictureKey {
        std::shared_ptr<const PictureScene> scene;
        Camera camera;
        std::uint32_t width = 0, height = 0;
        bool operator==(const PictureKey&) const = default;
    };
    VoxelizeParams voxelizeParams(const RunContext& run) const;
    FieldKey fieldKey(const RunContext& run) const;
    Resident<VoxelGrid> computeVoxels(const RunContext& run, const VoxelizeParams& params);
    FieldParams fieldParams(const RunContext& run) const;
    Resident<ScalarField> computeField(const RunContext& run);
    double computeDensityIso(const RunContext& run);
    Resident<TriangleMesh> computeSurface(const RunContext& run, float iso);
    SceneKey sceneKey(const RunContext& run, const Snapshot& of) const;
    void forgetScene();
    /// Lets go of the scene that shows this result, which is about to be replaced.
    void dropSceneOf(const std::shared_ptr<const void>& shown);
    std::shared_ptr<const Picture> computePicture(const RunContext& run, const Camera& camera);
    std::shared_ptr<const Picture> completePicture(const RunContext& run);
    std::shared_ptr<const CleanSurface> computeClean(const RunContext& run, const CleanKey& key);
    std::shared_ptr<const MeshQuality> computeQuality(const RunContext& run, const Snapshot& of,
                                                      std::size_t stride);

    std::size_t m_stride;
    double m_coarsening;
    Memo<std::shared_ptr<const PointCloud>, std::shared_ptr<const KernelPoints>> m_upload;
    /// Copy of m_upload on the device, when CUDA runs; null when the device is too small for it: the points
    /// then come in pieces.
    std::shared_ptr<const KernelPoints> m_device;
    Memo<VoxelizeParams, Resident<VoxelGrid>> m_voxels;
    Memo<FieldKey, Resident<ScalarField>> m_field;
    std::optional<double> m_densityIso; ///< points a cubic metre: of m_field, once it was asked for
    Memo<ExtractKey, Resident<TriangleMesh>> m_mesh;
    Memo<CleanKey, std::shared_ptr<const CleanSurface>> m_clean;
    Resident<TriangleMesh> m_surface; ///< of m_clean, or of m_mesh
    /// Of what, and whether it lies on the device.
    Memo<std::pair<Resident<VoxelGrid>, bool>, std::shared_ptr<const PointSearch>> m_pointSearch;
    Memo<DistanceKey, std::shared_ptr<const Buffer<float>>> m_vertexDistances;
    Memo<Resident<TriangleMesh>, std::shared_ptr<const MeshTopology>> m_topology;
    Memo<std::pair<Resident<TriangleMesh>, bool>, std::shared_ptr<const BoxTree>> m_triangleTree;
    Memo<DistanceKey, std::shared_ptr<const MeshQuality>> m_quality;
    Memo<SceneKey, std::shared_ptr<const PictureScene>>
        m_scene; ///< with the colours, which moves leave as they are
    Memo<PictureKey, std::shared_ptr<const Picture>> m_picture;
    SampleSums m_samples; ///< of m_picture; none until it is refined
};

} // namespace scanloupe
