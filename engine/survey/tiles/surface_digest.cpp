// Sorts the bricks of surfaces, on disk if they exceed the limit.
#include "engine/survey/tiles/surface_digest.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <queue>
#include <utility>

namespace scanloupe {

SurfaceDigest::SurfaceDigest(std::filesystem::path scratch, std::size_t maxBricks)
    : m_prefix(std::move(scratch)), m_maxBricks(maxBricks) {
    // Reserves all at once, since a growing array would be copied and temporarily be in memory twice. Pages
    // are only committed when written.
    m_items.reserve(maxBricks);
}

void SurfaceDigest::fail() const {
    throw EngineError(
        fmt::format("Cannot write or read the temporary file '{}'.", m_folder->file("bricks").string()),
        "Free space on that drive and run the job again: finished tiles are reused.");
}

void SurfaceDigest::sortItems() {
    std::ranges::sort(m_items, {}, &Item::key);
}

void SurfaceDigest::add(std::span<const PartBrick> bricks) {
    for (const PartBrick& brick : bricks) {
        if (m_items.size() == m_maxBricks)
            writeRun();
        m_items.push_back({brick.key, brick.digest});
    }
}

void SurfaceDigest::writeRun() {
    if (!m_folder) {
        m_folder.emplace(m_prefix);
        m_file.open(m_folder->file("bricks"),
                    std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc);
    }
    sortItems();
    const std::uint64_t begin = m_runs.empty() ? 0 : m_runs.back().end;
    m_runs.push_back({begin, begin + m_items.size(), {}, 0});
    m_file.write(reinterpret_cast<const char*>(m_items.data()),
                 std::streamsize(m_items.size() * sizeof(Item)));
    if (!m_file)
        fail();
    m_items.clear();
}

bool SurfaceDigest::fill(Run& run, std::size_t items) {
    if (run.at < run.read.size())
        return true;
    run.read.resize(std::min<std::uint64_t>(items, run.end - run.next));
    run.at = 0;
    if (run.read.empty())
        return false;
    m_file.seekg(std::streamoff(run.next * sizeof(Item)));
    m_file.read(reinterpret_cast<char*>(run.read.data()), std::streamsize(run.read.size() * sizeof(Item)));
    if (!m_file)
        fail();
    run.next += run.read.size();
    return true;
}

Sha256Digest SurfaceDigest::finish() {
    Sha256 sum;
    const auto add = [&](const Item& item) { sum.add(std::span<const std::uint8_t>(item.digest)); };
    if (m_runs.empty()) {
        sortItems();
        std::ranges::for_each(m_items, add);
        return sum.digest();
    }
    writeRun();
    m_items = {};
    const std::size_t itemsOfRun = std::max<std::size_t>(m_maxBricks / m_runs.size(), 64);
    using Next = std::pair<std::uint64_t, std::size_t>; // key of the next item, index of its run
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    const auto queue = [&](std::size_t run) {
        if (fill(m_runs[run], itemsOfRun))
            next.emplace(m_runs[run].read[m_runs[run].at].key, run);
    };
    for (std::size_t run = 0; run < m_runs.size(); ++run)
        queue(run);
    while (!next.empty()) {
        const std::size_t run = next.top().second;
        next.pop();
        add(m_runs[run].read[m_runs[run].at++]);
        queue(run);
    }
    return sum.digest();
}

} // namespace scanloupe
