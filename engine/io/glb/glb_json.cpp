// Implements typed access to the glTF JSON.
#include "engine/cloud/error.h"
#include "engine/io/glb/glb_file.h"

#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

const nlohmann::ordered_json& emptyJson(bool array) {
    static const auto object = nlohmann::ordered_json::object(), list = nlohmann::ordered_json::array();
    return array ? list : object;
}

} // namespace

void GlbJson::refuse(const std::string& what) const {
    throw EngineError("the glTF file '" + m_file->name() + "' is damaged: " + what,
                      "Copy or export it again.");
}

bool GlbJson::has(const char* key) const {
    return m_json->is_object() && m_json->contains(key);
}

std::size_t GlbJson::size() const {
    return m_json->size();
}

GlbJson GlbJson::object(const char* key) const {
    const Json& found = has(key) ? m_json->at(key) : emptyJson(false);
    if (!found.is_object())
        refuse(std::string("its '") + key + "' is not an object");
    return {found, *m_file};
}

GlbJson GlbJson::array(const char* key) const {
    const Json& found = has(key) ? m_json->at(key) : emptyJson(true);
    if (!found.is_array())
        refuse(std::string("its '") + key + "' is not a list");
    return {found, *m_file};
}

GlbJson GlbJson::at(std::uint64_t index) const {
    if (index >= m_json->size())
        refuse("it refers to an element " + std::to_string(index) + " of a list that has " +
               std::to_string(m_json->size()));
    const Json& found = m_json->at(static_cast<std::size_t>(index));
    return {found, *m_file};
}

std::uint64_t GlbJson::count(const char* key, std::uint64_t otherwise) const {
    if (!has(key))
        return otherwise;
    const Json& found = m_json->at(key);
    if (!found.is_number_unsigned())
        refuse(std::string("its '") + key + "' is not an integer");
    return found.get<std::uint64_t>();
}

double GlbJson::number(const char* key, double otherwise) const {
    if (!has(key))
        return otherwise;
    const Json& found = m_json->at(key);
    if (!found.is_number())
        refuse(std::string("its '") + key + "' is not a number");
    return found.get<double>();
}

std::string GlbJson::text(const char* key) const {
    return has(key) && m_json->at(key).is_string() ? m_json->at(key).get<std::string>() : std::string();
}

bool GlbJson::flag(const char* key) const {
    return has(key) && m_json->at(key).is_boolean() && m_json->at(key).get<bool>();
}

std::vector<double> GlbJson::numbers(const char* key, std::size_t count) const {
    std::vector<double> values;
    for (const Json& value : array(key).json()) {
        if (!value.is_number())
            refuse(std::string("its '") + key + "' is not a list of numbers");
        values.push_back(value.get<double>());
    }
    if (values.size() != count)
        refuse(std::string("its '") + key + "' does not have " + std::to_string(count) + " numbers");
    return values;
}

std::vector<std::uint64_t> GlbJson::indices(const char* key) const {
    std::vector<std::uint64_t> values;
    for (const Json& value : array(key).json()) {
        if (!value.is_number_unsigned())
            refuse(std::string("its '") + key + "' is not a list of integers");
        values.push_back(value.get<std::uint64_t>());
    }
    return values;
}

} // namespace scanloupe
