// Sums up memory and work of the stages of a run.
#include "engine/graph/stage_costs.h"

#include "engine/graph/stage_table.h"
#include "kernels/core/vec3.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// Whether a run of a cloud has to wait for a stale stage.
bool isWaitedFor(const StageDeclaration& declaration, const Recipe& resolved, const StaleStages& stale) {
    return stale[std::size_t(declaration.stage)] &&
           (!declaration.isWaitedFor || declaration.isWaitedFor(resolved, false));
}

} // namespace

std::uint64_t MeshSize::bytes() const {
    return vertices * 2 * sizeof(Vec3f) + triangles * 3 * sizeof(std::uint32_t);
}

StaleStages staleStages(const Recipe* last, const Recipe& next) {
    StaleStages stale{};
    for (const StageDeclaration& declaration : stageDeclarations()) {
        const Stage stage = declaration.stage;
        if (!isWanted(stage, next, false))
            continue;
        bool& isStale = stale[std::size_t(stage)];
        isStale = !last || !readsTheSame(stage, *last, next, false) || !isWanted(stage, *last, false);
        for (const StageDeclaration& other : stageDeclarations())
            isStale |= stale[std::size_t(other.stage)] && takes(stage, other.stage, next, false);
        if (last)
            for (const StageDeclaration& other : stageDeclarations())
                isStale |= takes(stage, other.stage, next, false) != takes(stage, other.stage, *last, false);
    }
    return stale;
}

std::uint64_t runBytes(const RunSize& size, const Recipe& resolved, const StaleStages& stale) {
    std::uint64_t held = 0, peak = 0;
    for (const StageDeclaration& declaration : stageDeclarations()) {
        if (!declaration.bytes || !isWaitedFor(declaration, resolved, stale))
            continue;
        const StageMemory memory = declaration.bytes(size, resolved);
        peak = std::max(peak, held + memory.peak);
        held += memory.result;
    }
    return peak;
}

const TimingRow* timingRow(std::string_view name) {
    static constexpr std::array ofNoStage{TimingRow{"read", "Read", 0x999999},
                                          TimingRow{"download", "Download", 0x333333}};
    const auto find = [&](const auto& rows) {
        const auto found = std::ranges::find(rows, name, &TimingRow::name);
        return found == rows.end() ? nullptr : &*found;
    };
    const StageDeclaration* of = stageOfRow(name);
    return of ? find(of->rows) : find(ofNoStage);
}

const StageDeclaration* stageOfRow(std::string_view name) {
    for (const StageDeclaration& declaration : stageDeclarations())
        if (std::ranges::find(declaration.rows, name, &TimingRow::name) != declaration.rows.end())
            return &declaration;
    return nullptr;
}

std::optional<StageWork> workOf(std::string_view row, const RunSize& size, const Recipe& resolved) {
    const TimingRow* found = timingRow(row);
    if (!found || !found->work)
        return std::nullopt;
    return found->work(size, resolved);
}

std::vector<std::string_view> timedRows(const StaleStages& stale, const Recipe& resolved) {
    std::vector<std::string_view> rows;
    for (const StageDeclaration& declaration : stageDeclarations())
        for (const TimingRow& row : declaration.rows)
            if (row.work && isWaitedFor(declaration, resolved, stale))
                rows.push_back(row.name);
    return rows;
}

} // namespace scanloupe
