// Converts rigid transforms from and to JSON.
#include "engine/io/common/text/pose_json.h"

#include "engine/cloud/sensor_pose.h"

#include <nlohmann/json.hpp>

namespace scanloupe {

using Json = nlohmann::ordered_json;

Json toJsonPose(const RigidTransform& pose) {
    Json rows = Json::array();
    for (int i = 0; i < 3; ++i)
        rows.push_back({pose.rows[i].x, pose.rows[i].y, pose.rows[i].z, pose.translation[i]});
    return rows;
}

RigidTransform poseFromJson(const Json& value, std::string& problem) {
    RigidTransform pose;
    for (int i = 0; i < 3; ++i) {
        const Json& row = value.at(std::size_t(i));
        pose.rows[i] = {row.at(0), row.at(1), row.at(2)};
        pose.translation[i] = row.at(3);
    }
    constexpr double rounding = 1e-6;
    problem = !isFinite(pose)                            ? "has numbers that are not finite"
              : !(distanceFromRotation(pose) < rounding) ? "has a matrix that is not a rotation"
                                                         : "";
    return pose;
}

} // namespace scanloupe
