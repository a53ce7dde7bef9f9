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
    std::map<const SelectionRegion*, std::size_t> numbers; ///< indices of the regions in the table
};

/// @param table receives the regions, which the JSON then references by index; null: they are written in
/// place
/// @throws EngineError when there are more layers than can be read again
nlohmann::ordered_json toJson(const Edits& edits, RegionTable* table = nullptr);
/// @param table resolves the indices of regions
/// @throws EngineError naming the problem; nlohmann::json::exception
Edits editsFromJson(const nlohmann::ordered_json& json, const RegionTable* table = nullptr);

nlohmann::ordered_json toJson(const RegionTable& table);
/// @throws as above
RegionTable regionTableFromJson(const nlohmann::ordered_json& json);

} // namespace scanloupe
