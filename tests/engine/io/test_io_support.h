#pragma once
// Shared by the tests of readers and writers: temporary folders, generated clouds and comparisons.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "tests/support/test_support.h"

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

namespace scanloupe::test {

/// A temporary folder that is removed after the test.
class Scratch {
public:
    std::filesystem::path operator/(const std::string& name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    std::filesystem::path file(const std::string& name, const std::string& content) const {
        const auto path = *this / name;
        std::ofstream(path, std::ios::binary)
            .write(content.data(), static_cast<std::streamsize>(content.size()));
        return path;
    }
    /// The number of entries of the folder.
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder()),
                                                      std::filesystem::directory_iterator()));
    }

private:
    QTemporaryDir m_folder;
};

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Reads a value at `offset`, in the machine's byte order.
template <class T>
T valueAt(const std::string& bytes, std::size_t offset) {
    T value{};
    if (offset + sizeof(T) > bytes.size())
        qFatal("the file is too short");
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
Attribute makeAttribute(const std::string& name, ScalarType type, const std::vector<T>& values) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = type;
    attribute.allocate(values.size());
    if (!values.empty())
        std::memcpy(attribute.dataToFill(), values.data(), values.size() * sizeof(T));
    return attribute;
}

/// A crumpled strip of triangles with random vertex positions that uses every vertex.
inline TriangleMesh strip(std::size_t vertices, std::mt19937_64& random) {
    const auto number = [&] { return float(random() % 2000000) / 1000.0f - 1000.0f; };
    std::vector<Vec3f> places, normals;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < vertices; ++i) {
        places.push_back({number(), number(), number()});
        normals.push_back(normalized(Vec3f{number(), number(), 1.5f}));
        if (i >= 2)
            indices.insert(indices.end(), {i - 2, i - 1, i});
    }
    TriangleMesh mesh;
    mesh.positions = hostCopy(std::span(places));
    mesh.normals = hostCopy(std::span(normals));
    mesh.indices = hostCopy(std::span(indices));
    return mesh;
}

/// The EngineError that `run` throws; fails the test if it throws none.
inline std::optional<EngineError> errorOf(const std::function<void()>& run) {
    try {
        run();
    } catch (const EngineError& error) {
        return error;
    }
    return std::nullopt;
}

inline bool says(const std::optional<EngineError>& error, const char* words) {
    return error && QString(error->what()).contains(words) && !error->nextStep().empty();
}

inline bool warns(const PointCloud& cloud, const char* words) {
    return std::any_of(cloud.warnings.begin(), cloud.warnings.end(), [&](const std::string& sentence) {
        return QString::fromStdString(sentence).contains(words);
    });
}

/// Bitwise equality, except that any NaN equals any other.
inline bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(double)) == 0 || a == b;
}

} // namespace scanloupe::test
