#pragma once
// Declares the stages of the pipeline and the cache of their last results: a stage runs if its key has
// changed, else its cached result is reused.
#include "engine/io/volume/read_volume.h"
#include "engine/pipeline/pipeline.h"
#include "kernels/core/stream.h"
#include "kernels/mesh/bvh.h"
#include "kernels/raster/samples.h"

#include <optional>

namespace scanloupe {

class PictureScene;

/// The inputs, limits and outputs that all stages of a run share.
struct RunContext {
    const Recipe* recipe = nullptr; ///< resolved, except the iso-value
    const BackendChoice* backend = nullptr;
    std::shared_ptr<const Stream> stream; ///< null on the CPU
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    std::uint64_t memoryLimit = 0;       ///< bytes; 0: all available memory
    std::uint64_t deviceMemoryLimit = 0; ///< bytes on the device; 0: all free memory
    std::stop_token stop;
    RunTimings* timings = nullptr;
    double pictureMs = 0; ///< RunOptions::pictureMs
};

/// A cached result and the key of its inputs.
template <class Key, class Handle>
struct Memo {
    std::optional<Key> key;
    Handle value{}; ///< a shared pointer, a DeviceOrHost or a number
};

/// A surface after clean-up.
struct CleanSurface {
    DeviceOrHost<TriangleMesh> mesh; ///< the input mesh itself if nothing was removed
    CleanUp counts;
};

/// The cached stages at one level of detail. Previews have a chain of their own beside that of full runs.
class Chain {
public:
    /// Uses every `stride`-th point, and voxels `coarsening` times as large as those of the recipe.
    Chain(std::size_t stride, double coarsening) : m_stride(stride), m_coarsening(coarsening) {}

    /// Whether voxels and field of this recipe are cached.
    bool isFresh(const RunContext& run) const;

    std::shared_ptr<const KernelPoints> upload(const RunContext& run);
    DeviceOrHost<VoxelGrid> voxelize(const RunContext& run);
    DeviceOrHost<ScalarField> field(const RunContext& run);
    /// The iso-value of the recipe, or one chosen from the field.
    double isoFor(const RunContext& run);
    DeviceOrHost<TriangleMesh> extract(const RunContext& run, double iso);
    /// The surface after clean-up, which later stages use; null if the recipe removes nothing.
    std::shared_ptr<const CleanSurface> clean(const RunContext& run);
    /// Distances from the surface's vertices to the nearest point in range, [M] metres; null unless the
    /// recipe colours by them.
    std::shared_ptr<const Buffer<float>> vertexDistances(const RunContext& run);
    /// Quality of the mesh of `of`, results of this chain, with distances of every n-th point, at most
    /// `mostPoints`; of more if these are cached.
    std::shared_ptr<const MeshQuality> quality(const RunContext& run, const Snapshot& of,
                                               std::size_t mostPoints);
    /// The cached quality of these results; null if it was not measured.
    std::shared_ptr<const MeshQuality> knownQuality(const Snapshot& of) const;
    /// @param of the results of this run so far
    std::shared_ptr<const Picture> picture(const RunContext& run, const Snapshot& of);
    /// The picture of these results with `samples` samples a pixel.
    std::shared_ptr<const Picture> refine(const RunContext& run, const Snapshot& of, int samples);
    /// The scene and the camera of pictures of these results.
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
        DeviceOrHost<ScalarField> field;
        float iso = 0;
        bool operator==(const ExtractKey&) const = default;
    };
    struct CleanKey {
        DeviceOrHost<TriangleMesh> mesh;
        std::uint64_t minTriangles = 0, decimateTo = 0;
        bool operator==(const CleanKey&) const = default;
    };
    /// A surface, and the voxels of the points that distances are measured to.
    struct DistanceKey {
        DeviceOrHost<TriangleMesh> mesh;
        DeviceOrHost<VoxelGrid> voxels;
        bool operator==(const DistanceKey&) const = default;
    };
    struct PointSearch {
        Buffer<Vec3f> points; ///< [N, 3]; NaN for points out of range
        Bvh tree;
    };
    struct SceneKey {
        std::shared_ptr<const void> shown, voxels, distances;
        Recipe recipe; ///< all parameters that the scene doesn't depend on are at their defaults
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
    DeviceOrHost<VoxelGrid> computeVoxels(const RunContext& run, const VoxelizeParams& params);
    FieldParams fieldParams(const RunContext& run) const;
    DeviceOrHost<ScalarField> computeField(const RunContext& run);
    double computeDensityIso(const RunContext& run);
    DeviceOrHost<TriangleMesh> computeSurface(const RunContext& run, float iso);
    SceneKey sceneKey(const RunContext& run, const Snapshot& of) const;
    void forgetScene();
    /// Releases the scene of this result, which is about to be replaced.
    void dropSceneOf(const std::shared_ptr<const void>& shown);
    std::shared_ptr<const Picture> computePicture(const RunContext& run, const Camera& camera);
    std::shared_ptr<const Picture> completePicture(const RunContext& run);
    std::shared_ptr<const CleanSurface> computeClean(const RunContext& run, const CleanKey& key);
    std::shared_ptr<const MeshQuality> computeQuality(const RunContext& run, const Snapshot& of,
                                                      std::size_t stride);

    std::size_t m_stride;
    double m_coarsening;
    Memo<std::shared_ptr<const PointCloud>, std::shared_ptr<const KernelPoints>> m_upload;
    /// Copy of m_upload on the device, with CUDA; null if the device has too little memory: points are then
    /// copied and voxelized in pieces.
    std::shared_ptr<const KernelPoints> m_device;
    Memo<VoxelizeParams, DeviceOrHost<VoxelGrid>> m_voxels;
    Memo<FieldKey, DeviceOrHost<ScalarField>> m_field;
    std::optional<double> m_densityIso; ///< of m_field, points a cubic metre; computed on first use
    Memo<ExtractKey, DeviceOrHost<TriangleMesh>> m_mesh;
    Memo<CleanKey, std::shared_ptr<const CleanSurface>> m_clean;
    DeviceOrHost<TriangleMesh> m_surface; ///< of m_clean, or of m_mesh
    /// The key holds the voxels and whether the search tree is on the device.
    Memo<std::pair<DeviceOrHost<VoxelGrid>, bool>, std::shared_ptr<const PointSearch>> m_pointSearch;
    Memo<DistanceKey, std::shared_ptr<const Buffer<float>>> m_vertexDistances;
    Memo<DeviceOrHost<TriangleMesh>, std::shared_ptr<const MeshTopology>> m_topology;
    Memo<std::pair<DeviceOrHost<TriangleMesh>, bool>, std::shared_ptr<const Bvh>> m_triangleTree;
    Memo<DistanceKey, std::shared_ptr<const MeshQuality>> m_quality;
    /// Includes the colours; does not depend on the camera.
    Memo<SceneKey, std::shared_ptr<const PictureScene>> m_scene;
    Memo<PictureKey, std::shared_ptr<const Picture>> m_picture;
    SampleSums m_samples; ///< of m_picture; empty until it is refined
};

} // namespace scanloupe
