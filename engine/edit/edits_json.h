#pragma once
// Declares conversions of edits from and to JSON.
#include "engine/edit/edits.h"

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace scanloupe {

/// Regions that several edits share, for instance the states of a history. Each is written once.
struct RegionTable {
    std::vector<std::shared_ptr<const SelectionRegion>> regions;
    std::map<const SelectionRegion*, std::size_t> numbers; ///< index of each region in `regions`
};

/// Writes edits as JSON.
/// @param table receives the regions, which the JSON then refers to by index; null: regions are written in
/// place
/// @throws EngineError if there are more layers than can be read again
nlohmann::ordered_json toJson(const Edits& edits, RegionTable* table = nullptr);
/// Reads edits from JSON. @param table resolves the indices of regions; null: there are none
/// @throws EngineError naming the problem; nlohmann::json::exception
Edits editsFromJson(const nlohmann::ordered_json& json, const RegionTable* table = nullptr);

nlohmann::ordered_json toJson(const RegionTable& table);
/// Reads a table of regions from JSON. @throws EngineError naming the problem; nlohmann::json::exception
RegionTable regionTableFromJson(const nlohmann::ordered_json& json);

} // namespace scanloupe
