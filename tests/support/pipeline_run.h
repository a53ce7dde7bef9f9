#pragma once
// A pipeline and its recipe, as tests drive them.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "kernels/formula/trusted_code.h"

#include <QString>

#include <memory>
#include <string>
#include <utility>

namespace scanloupe::test {

/// A scan of the bumpy sphere, with its sensor.
inline std::shared_ptr<const PointCloud> bumpyCloud(std::uint64_t points = 60'000) {
    synth::ScanParams params;
    params.scene = synth::Scene::bumpy;
    params.points = points;
    return std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {}));
}

/// A street with three classes, point after point.
inline std::shared_ptr<const PointCloud> classedStreet(std::uint64_t points) {
    synth::ScanParams params;
    params.points = points;
    const PointCloud scan = syntheticCloud(params, false, {}, {});
    auto classes = Buffer<std::byte>::host(scan.size());
    for (std::size_t i = 0; i < scan.size(); ++i)
        classes[i] = std::byte(i % 3);
    CloudEdits edits;
    edits.attributes.emplace_back(kClassAttribute, ScalarType::uint8, std::move(classes));
    return std::make_shared<const PointCloud>(scan, edits, std::stop_token());
}

/// The backend that a suite runs on: see runOnEachBackend.
struct SuiteBackend {
    static SuiteBackend& current() {
        static SuiteBackend one;
        return one;
    }
    void take(const char* name) { backend = name == std::string("cuda") ? Backend::cuda : Backend::cpu; }
    Backend backend = Backend::cpu;
};

inline const RunOptions kNoPicture{.picture = false};

/// Runs a recipe. `set` changes it by text, as users type it.
struct Run {
    explicit Run(Backend backend = Backend::cpu, Recipe wanted = {})
        : pipeline(chooseBackend(backend)), recipe(std::move(wanted)) {
        recipe.imageWidth = 320;
        recipe.imageHeight = 240;
    }
    template <class Input>
    explicit Run(std::shared_ptr<Input> input, Backend backend = Backend::cpu, Recipe wanted = {})
        : Run(backend, std::move(wanted)) {
        pipeline.setInput(std::shared_ptr<const Input>(std::move(input)), 0);
    }
    /// Runs the recipe; the CUDA code of its layers is approved.
    Snapshot operator()(const RunOptions& options = {}) {
        auto trusted = std::make_shared<TrustedCode>();
        for (const auto& layer : recipe.edits.layers)
            if (const auto* action = std::get_if<CudaFileAction>(&layer->action))
                trusted->add(action->file.source);
        pipeline.setTrustedCode(trusted);
        return pipeline.run(recipe, options, {});
    }
    void set(const char* key, const char* text) { setFromText(recipe, parameter(key), text); }
    Pipeline pipeline;
    Recipe recipe;
};

/// Names of the stages that ran, each followed by a comma.
inline QString ran(const Snapshot& snapshot) {
    QString names;
    for (const StageTiming& t : snapshot.timings.stages) {
        if (!t.reused && t.stage != "read")
            names += QString::fromStdString(t.stage) + ",";
    }
    return names;
}

} // namespace scanloupe::test
