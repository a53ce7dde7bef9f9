// Distributes the tiles of a job to several processes.
#include "engine/survey/tiles/ranked_run.h"

#include "engine/compute/side_by_side.h"
#include "kernels/core/cost.h"
#include "kernels/formula/cuda_file.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace scanloupe {

namespace {

using Json = nlohmann::json;

constexpr const char* kNext = "next";   ///< a rank requests a group of tiles
constexpr const char* kNoGroup = "end"; ///< answer: no groups are left

void rest() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Division of the tiles into `x` by `y` groups of adjacent tiles.
struct Split {
    Vec3i tiles;
    int x = 1, y = 1;

    /// Returns the index of a group's first tile along an axis.
    int begin(int group, int axis) const {
        return int(std::int64_t{tiles[axis]} * group / (axis == 0 ? x : y));
    }
    /// Returns the number of groups that intersect a box of tiles.
    double groupsIn(const IndexBox& box) const {
        const auto along = [&](int axis) {
            int count = 0;
            for (int group = 0; group < (axis == 0 ? x : y); ++group)
                count += begin(group, axis) < box.high[axis] && begin(group + 1, axis) > box.low[axis];
            return count;
        };
        return double(along(0)) * along(1);
    }
};

/// Serializes the report of a rank for rank 0.
std::string textOf(const TileRunReport& report) {
    Json json{{"read", report.points.read},
              {"outside", report.points.outside},
              {"not_finite", report.points.notFinite},
              {"strayed", report.points.strayed},
              {"bytes", report.bytesRead},
              {"packed", report.packedBytes},
              {"most", report.maxPointBytes},
              {"read_ms", report.readMs},
              {"wait_ms", report.waitMs},
              {"before", report.tilesBefore},
              {"refused", Json::array()},
              {"damaged", Json::array()},
              {"workers", Json::array()}};
    for (const RefusedFile& file : report.refused)
        json["refused"].push_back({file.name, file.why});
    for (const RefusedFile& file : report.damaged)
        json["damaged"].push_back({file.name, file.why});
    for (const WorkerReport& one : report.workers)
        json["workers"].push_back({one.name, one.tiles, one.waitMs, one.computeMs, one.writeMs, one.failure});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TileRunReport reportIn(const std::string& text) {
    const Json json = Json::parse(text);
    TileRunReport report;
    report.points = {json["read"], json["outside"], json["not_finite"], json["strayed"]};
    report.bytesRead = json["bytes"];
    report.packedBytes = json["packed"];
    report.maxPointBytes = json["most"];
    report.readMs = json["read_ms"];
    report.waitMs = json["wait_ms"];
    report.tilesBefore = json["before"];
    for (const Json& file : json["refused"])
        report.refused.push_back({file[0], file[1]});
    for (const Json& file : json["damaged"])
        report.damaged.push_back({file[0], file[1]});
    for (const Json& one : json["workers"])
        report.workers.push_back({one[0], one[1], one[2], one[3], one[4], one[5]});
    return report;
}

/// Adds the report of another group by the same workers.
void addGroup(TileRunReport& all, const TileRunReport& group) {
    all.points.read += group.points.read;
    all.points.outside += group.points.outside;
    all.points.notFinite += group.points.notFinite;
    all.points.strayed += group.points.strayed;
    all.bytesRead += group.bytesRead;
    all.packedBytes += group.packedBytes;
    all.maxPointBytes = std::max(all.maxPointBytes, group.maxPointBytes);
    all.readMs += group.readMs;
    all.waitMs += group.waitMs;
    all.tilesBefore += group.tilesBefore;
    all.refused.insert(all.refused.end(), group.refused.begin(), group.refused.end());
    all.damaged.insert(all.damaged.end(), group.damaged.begin(), group.damaged.end());
    for (std::size_t w = 0; w < group.workers.size(); ++w)
        all.workers[w].add(group.workers[w]);
}

/// Adds the report of another rank.
void addRank(TileRunReport& all, int rank, TileRunReport other) {
    for (WorkerReport& worker : other.workers)
        worker.name = fmt::format("rank {}, {}", rank, worker.name);
    const std::vector<WorkerReport> workers = std::exchange(other.workers, {});
    addGroup(all, other);
    all.workers.insert(all.workers.end(), workers.begin(), workers.end());
}

/// The part of a job that one rank executes.
class RankedJob {
public:
    RankedJob(const SurveySource& source, const TilePlan& plan, const TileStore& store,
              const TileRunOptions& options, RankLink& link, const std::stop_token& stop)
        : m_source(source), m_plan(plan), m_store(store), m_options(options), m_link(link), m_stop(stop),
          m_groups(tileGroups(plan, source.parts(), link.size())) {}

    TileRunReport runFirst() {
        TileRunReport all = nothingDone(), others;
        const WallTimer timer;
        const auto orFail = [this](const std::function<void()>& function) {
            try {
                function();
            } catch (...) {
                m_hasFailed = true;
                throw;
            }
        };
        const std::function<void()> functions[] = {
            [&] { orFail([&] { handOut(others); }); },
            [&] {
                orFail([&] {
                    for (auto group = nextGroup(); group && !m_hasFailed; group = nextGroup()) {
                        addGroup(all, run(*group));
                        report(double(*group) / double(m_groups.size()));
                    }
                });
            }};
        runSideBySide(functions);
        const std::vector<WorkerReport> workers = std::exchange(others.workers, {});
        addGroup(all, others);
        all.workers.insert(all.workers.end(), workers.begin(), workers.end());
        for (std::vector<RefusedFile>* files : {&all.refused, &all.damaged}) {
            std::set<std::string> seen; // parts that several ranks have read; each is reported once
            std::erase_if(*files, [&](const RefusedFile& file) {
                return !seen.insert(file.name + '\n' + file.why).second;
            });
        }
        all.wallMs = timer.elapsedMs();
        return all;
    }

    void runOther() {
        TileRunReport all = nothingDone();
        for (;;) {
            m_link.send(0, kNext);
            const RankMessage answer = waitForMessage();
            if (answer.text == kNoGroup)
                break;
            m_store.job().requireSameJob(); // the folder was created by rank 0
            addGroup(all, run(std::stoull(answer.text)));
        }
        m_link.send(0, textOf(all));
    }

private:
    TileRunReport nothingDone() const {
        TileRunReport report;
        for (const ComputeWorker& worker : m_options.workers)
            report.workers.emplace_back().name = nameOf(worker);
        return report;
    }
    std::optional<std::size_t> nextGroup() {
        const std::size_t group = m_next++;
        return group < m_groups.size() ? std::optional(group) : std::nullopt;
    }
    void report(double done) const {
        if (m_options.progress)
            m_options.progress(done);
    }

    /// Answers the requests of other ranks until each has sent its report.
    void handOut(TileRunReport& others) {
        for (int left = m_link.size() - 1; left > 0 && !m_hasFailed;) {
            const auto message = m_link.receive();
            if (!message) {
                if (m_stop.stop_requested())
                    throw Cancelled();
                rest();
            } else if (message->text == kNext) {
                const auto group = nextGroup();
                m_link.send(message->from, group ? std::to_string(*group) : std::string(kNoGroup));
            } else {
                addRank(others, message->from, reportIn(message->text));
                --left;
            }
        }
    }

    RankMessage waitForMessage() {
        for (;;) {
            if (auto message = m_link.receive())
                return *std::move(message);
            if (m_stop.stop_requested())
                throw Cancelled();
            rest();
        }
    }

    TileRunReport run(std::size_t group) {
        TileRunOptions options = m_options;
        options.progress = {};
        options.wanted.assign(m_plan.size(), 0);
        const IndexBox& box = m_groups[group];
        for (int z = box.low.z; z < box.high.z; ++z)
            for (int y = box.low.y; y < box.high.y; ++y)
                for (int x = box.low.x; x < box.high.x; ++x)
                    options.wanted[m_plan.indexOf({x, y, z})] = 1;
        return runTiles(m_source, m_plan, m_store, options, m_stop);
    }

    const SurveySource& m_source;
    const TilePlan& m_plan;
    const TileStore& m_store;
    const TileRunOptions& m_options;
    RankLink& m_link;
    const std::stop_token& m_stop;
    std::vector<IndexBox> m_groups;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<bool> m_hasFailed = false;
};

} // namespace

std::vector<IndexBox> tileGroups(const TilePlan& plan, const std::vector<SurveyPart>& parts, int ranks) {
    constexpr double maxRead = 1.3; // maximum ratio of read points to points of the survey
    const Vec3i tiles = plan.tiles();
    double points = 0;
    for (const SurveyPart& part : parts)
        points += double(part.points);
    Split best;
    double least = 0;
    for (const int perRank : {6, 4, 2, 1}) {
        least = std::numeric_limits<double>::infinity();
        for (int groupsX = 1; groupsX <= std::min(tiles.x, ranks * perRank); ++groupsX) {
            const Split split{tiles, groupsX, std::clamp(ranks * perRank / groupsX, 1, tiles.y)};
            if (split.x * split.y < ranks && perRank > 1)
                continue;
            double read = 0;
            for (const SurveyPart& part : parts) {
                const IndexBox near = plan.tilesNear(part.bounds);
                read += double(part.points) * split.groupsIn(near);
            }
            // Of several splits that read the same number of points, prefer the one with the most groups.
            if (read < least || (read == least && split.x * split.y > best.x * best.y)) {
                least = read;
                best = split;
            }
        }
        if (least <= maxRead * points)
            break;
    }
    std::vector<IndexBox> groups;
    for (int y = 0; y < best.y; ++y)
        for (int x = 0; x < best.x; ++x)
            groups.push_back({{best.begin(x, 0), best.begin(y, 1), 0},
                              {best.begin(x + 1, 0), best.begin(y + 1, 1), tiles.z}});
    return groups;
}

std::optional<TileRunReport> runRanked(const SurveySource& source, const TilePlan& plan,
                                       const TileStore& store, const TileRunOptions& options, RankLink& link,
                                       const std::stop_token& stop) {
    RankedJob job(source, plan, store, options, link, stop);
    if (link.rank() != 0) {
        job.runOther();
        return std::nullopt;
    }
    TileRunReport report = job.runFirst();
    report.tiles = store.tilesOf(source);
    report.digest = store.digestOf(report.tiles);
    return report;
}

} // namespace scanloupe
