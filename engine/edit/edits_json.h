#pragma once
// Declares edits in JSON.
#include "engine/edit/edits.h"

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace scanloupe {

/// Regions that several edits share, as the states of a history do: each is written once.
struct RegionTable {
    std::vector<std::shared_ptr<const SelectionRegion>> regions;
    std::map<const SelectionRegion*, std::size_t> numbers; ///< of those that were added
};

/// @param table takes the regions, which are numbers then; null: they are written where they stand
/// @throws EngineError when there are more layers than can be read again
nlohmann::ordered_json toJson(const Edits& edits, RegionTable* table = nullptr);
/// @param table the regions that numbers stand for
/// @throws EngineError naming what is wrong; nlohmann::json::exception
Edits editsFromJson(const nlohmann::ordered_json& json, const RegionTable* table = nullptr);

nlohmann::ordered_json toJson(const RegionTable& table);
/// @throws as above
RegionTable regionTableFromJson(const nlohmann::ordered_json& json);

} // namespace scanloupe
