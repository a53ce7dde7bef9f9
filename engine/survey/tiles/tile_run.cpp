// Reads surveys, and computes tiles while the next parts are being read.
#include "engine/survey/tiles/tile_run.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/compute/memory.h"
#include "engine/compute/side_by_side.h"
#include "engine/survey/tiles/tile_queue.h"
#include "kernels/core/devices.h"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

namespace scanloupe {

namespace {

/// A running tiling job.
class TileJob {
public:
    TileJob(const SurveySource& source, const TilePlan& plan, const TileStore& store,
            const TileRunOptions& options, const std::stop_token& stop)
        : m_source(source), m_plan(plan), m_store(store), m_options(options), m_stop(stop),
          m_points(plan, chooseTiles(), store.job().scratch()), m_memory(maxWaiting(options)) {}

    TileRunReport run() {
        const WallTimer timer;
        for (const ComputeWorker& worker : m_options.workers)
            m_report.workers.emplace_back().name = nameOf(worker);
        std::vector<std::function<void()>> functions{[this] { guarded([this] { readAll(); }); }};
        for (std::size_t w = 0; w < m_options.workers.size(); ++w)
            for (int thread = 0; thread < threadsOf(m_options.workers[w]); ++thread)
                functions.push_back([this, w] {
                    guarded([this, w] { compute(m_options.workers[w], m_report.workers[w]); });
                });
        runSideBySide(functions);
        std::ranges::sort(m_report.tiles, {}, &TileRecord::tile);
        m_report.digest = m_store.digestOf(m_report.tiles);
        m_report.points = m_points.counts();
        m_report.packedBytes = m_points.packedBytes();
        m_report.wallMs = timer.elapsedMs();
        return std::move(m_report);
    }

private:
    /// Returns the tiles to compute: those that are wanted, not finished and near points. Reuses the records
    /// of finished tiles.
    std::vector<char> chooseTiles() {
        m_waitingFor.assign(m_plan.size(), 0);
        m_partsOf.assign(m_plan.size(), 0);
        for (const SurveyPart& part : m_source.parts()) {
            const std::uint64_t identity = identityOf(part);
            m_plan.forTilesNear(part.bounds, [&](std::size_t tile) {
                ++m_waitingFor[tile];
                m_partsOf[tile] += identity;
            });
        }
        std::vector<char> chosen(m_plan.size());
        for (std::size_t tile = 0; tile < chosen.size(); ++tile) {
            if (m_waitingFor[tile] == 0 || (!m_options.wanted.empty() && !m_options.wanted[tile]))
                continue;
            if (const auto record = m_store.finished(tile, m_partsOf[tile])) {
                m_report.tiles.push_back(*record);
                ++m_report.tilesBefore;
            } else {
                chosen[tile] = 1;
            }
        }
        m_chosen = chosen;
        return chosen;
    }

    template <class Function>
    void guarded(Function&& function) {
        try {
            function();
        } catch (...) {
            m_queue.fail();
            throw;
        }
    }

    void readAll() {
        const std::vector<SurveyPart>& parts = m_source.parts();
        std::uint64_t all = 0, read = 0;
        for (const SurveyPart& part : parts)
            all += part.points;
        const std::uint64_t largest = pointsOfLargest(parts);
        for (const std::size_t number : readingOrder(parts, m_plan)) {
            const SurveyPart& part = parts[number];
            bool isNeeded = false;
            m_plan.forTilesNear(part.bounds,
                                [&](std::size_t tile) { isNeeded = isNeeded || m_chosen[tile]; });
            if (isNeeded) {
                letWorkersCatchUp(largest);
                readPart(number);
            }
            if (m_queue.hasFailed())
                return;
            m_plan.forTilesNear(part.bounds, [&](std::size_t tile) {
                if (--m_waitingFor[tile] == 0 && m_chosen[tile])
                    m_queue.push(tile, m_points.pointsInMemory(tile));
            });
            read += part.points;
            if (m_options.progress && all > 0)
                m_options.progress(double(read) / double(all));
        }
        m_queue.close();
    }

    /// Waits until the queue is short enough; otherwise a fast reader would load the whole survey.
    /// @param points maximum number of points in the queue while a part is read
    void letWorkersCatchUp(std::uint64_t points) {
        const WallTimer timer;
        m_queue.waitForRoom(points, m_stop);
        m_report.waitMs += timer.elapsedMs();
    }

    void readPart(std::size_t number) {
        const SurveyPart& part = m_source.parts()[number];
        const WallTimer timer;
        const double waitedBefore = m_report.waitMs;
        std::exception_ptr own; // an exception while processing the points
        try {
            const auto warnings = m_source.read(
                number,
                [&](const SurveyPiece& piece) {
                    try {
                        m_points.add(piece, part.bounds, m_stop);
                        m_report.maxPointBytes = std::max(m_report.maxPointBytes, m_points.bytes());
                        makeRoom();
                    } catch (...) {
                        own = std::current_exception();
                        throw;
                    }
                },
                m_stop);
            for (const std::string& sentence : warnings)
                m_report.damaged.push_back({part.name, sentence});
            if (std::ranges::any_of(warnings, isDamageWarning))
                noteMissing(part);
            m_report.bytesRead += part.bytes;
        } catch (const HostMemoryShort&) {
            throw;
        } catch (const EngineError& error) {
            if (own)
                std::rethrow_exception(own);
            m_report.refused.push_back({part.name, error.what()});
            noteMissing(part);
        }
        m_report.readMs += timer.elapsedMs() - (m_report.waitMs - waitedBefore);
    }

    /// Records that points of a part are missing for all tiles near this part.
    void noteMissing(const SurveyPart& part) {
        const std::lock_guard lock(m_mutex);
        m_plan.forTilesNear(part.bounds, [&](std::size_t tile) { m_missing[tile].push_back(part.name); });
    }

    std::vector<std::string> missingOf(std::size_t tile) {
        const std::lock_guard lock(m_mutex);
        const auto found = m_missing.find(tile);
        return found == m_missing.end() ? std::vector<std::string>() : found->second;
    }

    /// Keeps the waiting points within the memory limit: first waits for workers, then moves points to files.
    void makeRoom() {
        const WallTimer timer;
        while (m_points.bytes() > m_memory && m_queue.waitForOne(m_stop)) {
        }
        m_report.waitMs += timer.elapsedMs();
        if (m_points.bytes() > m_memory && !m_queue.hasFailed())
            m_points.pack(m_memory / 2, m_stop);
    }

    /// Computes tiles from the queue. @param all report of the worker, summed over its threads
    void compute(const ComputeWorker& worker, WorkerReport& all) {
        WorkerReport report;
        computeTiles(worker, report);
        const std::lock_guard lock(m_mutex);
        all.add(report);
    }

    void computeTiles(const ComputeWorker& worker, WorkerReport& report) {
        std::unique_ptr<const Stream> stream;
        try {
            if (worker.device) {
                useDevice(*worker.device);
                stream = std::make_unique<const Stream>();
            }
        } catch (const KernelError& error) {
            report.failure = error.what();
        }
        for (;;) {
            WallTimer timer;
            const auto tile = m_queue.pop(m_stop);
            report.waitMs += timer.elapsedMs();
            if (!tile)
                return;
            timer = WallTimer();
            const TileCloud points = m_points.take(*tile, m_stop);
            const TileSurface surface = surfaceOf(*tile, points, worker, stream, report);
            report.computeMs += timer.elapsedMs();
            timer = WallTimer();
            const TileRecord record =
                m_store.write(*tile, surface, m_partsOf[*tile], missingOf(*tile), m_stop);
            report.writeMs += timer.elapsedMs();
            ++report.tiles;
            {
                const std::lock_guard lock(m_mutex);
                m_report.tiles.push_back(record);
            }
            m_queue.done();
        }
    }

    /// Computes the surface of a tile on the worker's device. Uses the CPU if the device has too little
    /// memory for this tile, or has failed before.
    TileSurface surfaceOf(std::size_t tile, const TileCloud& points, const ComputeWorker& worker,
                          std::unique_ptr<const Stream>& stream, WorkerReport& report) {
        try {
            if (m_options.beforeTile)
                m_options.beforeTile(worker, tile);
            if (stream)
                return orOnHost(Execution{stream->view(), m_stop}, [&](const Execution& on) {
                    return tileSurface(points, m_plan, tile, m_store.keepsVoxels(), on);
                });
        } catch (const KernelError& error) {
            if (!stream)
                throw;
            report.failure = error.what();
            stream = nullptr;
        }
        return tileSurface(points, m_plan, tile, m_store.keepsVoxels(), {std::nullopt, m_stop});
    }

    const SurveySource& m_source;
    const TilePlan& m_plan;
    const TileStore& m_store;
    const TileRunOptions& m_options;
    const std::stop_token& m_stop;
    TileRunReport m_report;
    std::vector<std::uint32_t> m_waitingFor;                   ///< [tiles] number of parts near the tile that
                                                               ///< are not read yet
    std::vector<std::uint64_t> m_partsOf;                      ///< [tiles] TileRecord::parts
    std::vector<char> m_chosen;                                ///< [tiles] whether the tile is to be computed
    std::map<std::size_t, std::vector<std::string>> m_missing; ///< names of parts with missing points, by
                                                               ///< tile
    TilePoints m_points;
    std::uint64_t m_memory;
    TileQueue m_queue;
    std::mutex m_mutex; ///< guards m_report.tiles, m_report.workers and m_missing while workers run
};

} // namespace

void WorkerReport::add(const WorkerReport& other) {
    tiles += other.tiles;
    waitMs += other.waitMs;
    computeMs += other.computeMs;
    writeMs += other.writeMs;
    if (!other.failure.empty())
        failure = other.failure;
}

std::vector<std::size_t> readingOrder(const std::vector<SurveyPart>& parts, const TilePlan& plan) {
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const int along = plan.brickDims().x >= plan.brickDims().y ? 0 : 1;
    std::vector<std::array<int, 3>> firstTile(parts.size()); // first tile that requires each part
    std::ranges::transform(parts, firstTile.begin(), [&](const SurveyPart& part) {
        const Vec3i first = plan.tilesNear(part.bounds).low;
        return std::array{first[along], first[1 - along], first.z};
    });
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return firstTile[i]; });
    return order;
}

std::uint64_t maxWaiting(const TileRunOptions& options) {
    return options.memory > 0 ? options.memory : availableHostMemory() / 3;
}

int threadsOf(const ComputeWorker& worker) {
    return worker.device ? 2 : 1;
}

TileRunReport runTiles(const SurveySource& source, const TilePlan& plan, const TileStore& store,
                       const TileRunOptions& options, const std::stop_token& stop) {
    return TileJob(source, plan, store, options, stop).run();
}

} // namespace scanloupe
