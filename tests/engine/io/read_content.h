#pragma once
/// Reads files whose bytes a test has composed.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "tests/engine/io/test_io_support.h"

namespace scanloupe::test {

/// Reads `content` as a scan file with this name, whose extension determines the format.
inline std::shared_ptr<const PointCloud> read(const std::string& name, const std::string& content) {
    const Scratch scratch;
    return readScan(scratch.file(name, content), {}, {});
}

inline std::optional<EngineError> refusal(const std::string& name, const std::string& content) {
    return errorOf([&] { read(name, content); });
}

/// The value of an attribute at a point; fails the test if the attribute is missing.
inline double at(const PointCloud& cloud, const char* name, std::size_t i) {
    const Attribute* attribute = cloud.attribute(name);
    if (!attribute) {
        QTest::qFail(qPrintable(QString("there is no '%1'").arg(name)), __FILE__, __LINE__);
        return 0;
    }
    return attribute->value(i);
}

inline std::vector<Vec3d> placesOf(const PointCloud& cloud) {
    std::vector<Vec3d> places;
    for (std::size_t i = 0; i < cloud.size(); ++i)
        places.push_back(cloud.position(i));
    return places;
}

} // namespace scanloupe::test
