// Reads and writes trajectories as KITTI poses, TUM poses or a 4 x 4 matrix.
#include "engine/io/trajectory.h"

#include "engine/cloud/error.h"
#include "engine/cloud/sensor_pose.h"
#include "engine/io/text/text_tokens.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <ostream>
#include <string>

namespace scanloupe {

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 28; // 256 MiB, about a million poses
constexpr const char* kExpected = "Use KITTI poses (12 numbers per line), TUM poses (8 numbers per line: "
                                  "time, position, quaternion) or a single 4 x 4 matrix.";
constexpr double kExactRotation =
    1e-12; // deviation up to which a matrix counts as exact and is not orthonormalized

class PoseParser {
public:
    /// @param path path of the file, for messages
    explicit PoseParser(std::filesystem::path path) : m_path(std::move(path)) {}

    /// Parses a text of complete lines. @throws EngineError
    Trajectory parse(std::string_view text) {
        std::size_t line = 0, begin = 0;
        while (begin < text.size()) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            ++line;
            parseLine(text.substr(begin, end - begin), line);
            begin = end + 1;
        }
        if (!m_matrix.empty())
            finishMatrix(line);
        if (m_trajectory.poses.empty())
            throw EngineError(fmt::format("'{}' has no poses", m_path.string()), kExpected);
        return std::move(m_trajectory);
    }

private:
    [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
        throw EngineError(fmt::format("line {} of '{}' {}", line, m_path.string(), what), kExpected);
    }

    std::vector<double> numbersOf(std::string_view text, std::size_t line) const {
        const char delimiter = text.find(',') == std::string_view::npos ? ' ' : ',';
        std::vector<double> numbers;
        for (const std::string& token : splitTokens(text, delimiter)) {
            TextNumber number;
            if (!isNumber(token, number) || !std::isfinite(number.value))
                refuse(line, fmt::format("contains '{}', which is not a finite number", token.substr(0, 40)));
            numbers.push_back(number.value);
        }
        return numbers;
    }

    void parseLine(std::string_view text, std::size_t line) {
        const std::size_t first = text.find_first_not_of(" \t\r");
        if (first == std::string_view::npos || text[first] == '#')
            return;
        text = text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
        const std::vector<double> v = numbersOf(text, line);
        if (m_numbersPerLine != 0 && v.size() != m_numbersPerLine)
            refuse(line,
                   fmt::format("has {} numbers, but previous lines have {}", v.size(), m_numbersPerLine));
        m_numbersPerLine = v.size();
        switch (v.size()) {
        case 12:
            add({{{v[0], v[1], v[2]}, {v[4], v[5], v[6]}, {v[8], v[9], v[10]}}, {v[3], v[7], v[11]}}, line);
            break;
        case 8:
            addQuaternion(v, line);
            break;
        case 4:
            m_matrix.insert(m_matrix.end(), v.begin(), v.end());
            if (m_matrix.size() > 16)
                refuse(line, "is a fifth row of 4 numbers, but a matrix has 4 rows");
            break;
        default:
            refuse(line, fmt::format("has {} numbers instead of 4, 8 or 12", v.size()));
        }
    }

    void finishMatrix(std::size_t line) {
        const std::vector<double>& v = m_matrix;
        if (v.size() != 16)
            refuse(line, fmt::format("ends a matrix after {} of 4 rows", v.size() / 4));
        if (v[12] != 0 || v[13] != 0 || v[14] != 0 || v[15] != 1)
            refuse(line, fmt::format("ends the matrix with {} {} {} {} instead of 0 0 0 1", v[12], v[13],
                                     v[14], v[15]));
        add({{{v[0], v[1], v[2]}, {v[4], v[5], v[6]}, {v[8], v[9], v[10]}}, {v[3], v[7], v[11]}}, line);
    }

    void addQuaternion(const std::vector<double>& v, std::size_t line) {
        const double length = std::sqrt(v[4] * v[4] + v[5] * v[5] + v[6] * v[6] + v[7] * v[7]);
        if (!(std::abs(length - 1) < kRotationTolerance))
            refuse(line, fmt::format("has a quaternion of length {:.3g} instead of 1", length));
        m_trajectory.stamps.push_back(v[0]);
        m_trajectory.poses.push_back(
            poseOf({v[4] / length, v[5] / length, v[6] / length, v[7] / length}, {v[1], v[2], v[3]}));
    }

    void add(RigidTransform pose, std::size_t line) {
        const double deviation = distanceFromRotation(pose);
        if (!(deviation < kRotationTolerance))
            refuse(line, fmt::format("has a matrix that is not a rotation (deviation {:.3g}, maximum {})",
                                     deviation, kRotationTolerance));
        if (deviation > kExactRotation) {
            pose.rows[0] = normalized(pose.rows[0]);
            pose.rows[2] = normalized(cross(pose.rows[0], pose.rows[1]));
            pose.rows[1] = cross(pose.rows[2], pose.rows[0]);
        }
        m_trajectory.poses.push_back(pose);
    }

    std::filesystem::path m_path;
    Trajectory m_trajectory;
    std::size_t m_numbersPerLine = 0; ///< 0 before the first pose line
    std::vector<double> m_matrix;     ///< rows of the matrix so far
};

} // namespace

PoseFormat poseFormatFor(const std::filesystem::path& path) {
    return path.extension() == ".tum" ? PoseFormat::tum : PoseFormat::kitti;
}

Trajectory readTrajectory(const std::filesystem::path& path) {
    const InputFile file(path);
    if (file.size() > kMaxBytes)
        throw EngineError(fmt::format("'{}' has {} bytes, more than the maximum of {} for a pose file",
                                      path.string(), file.size(), kMaxBytes),
                          kExpected);
    return PoseParser(path).parse(file.head(std::size_t(file.size())));
}

bool holdsPoses(const InputFile& file) {
    constexpr std::size_t first = std::size_t{1} << 16; // bytes; enough to reject most scans
    if (file.size() > kMaxBytes)
        return false;
    try {
        std::string text = file.head(first);
        if (text.size() < file.size()) {
            text.resize(text.rfind('\n') + 1); // drops an incomplete last line
            static_cast<void>(PoseParser(file.path()).parse(text));
            text = file.head(std::size_t(file.size()));
        }
        // a scan of eight columns may look like TUM poses, but its first column does not ascend like time
        const std::vector<double> stamps = PoseParser(file.path()).parse(text).stamps;
        return std::is_sorted(stamps.begin(), stamps.end(), std::less_equal<>());
    } catch (const EngineError&) {
        return false;
    }
}

void writeTrajectory(const std::filesystem::path& path, const Trajectory& trajectory, PoseFormat format,
                     const std::stop_token& stop) {
    const auto write = [&](std::ostream& out) {
        if (format == PoseFormat::tum)
            out << "# time tx ty tz qx qy qz qw\n";
        for (std::size_t i = 0; i < trajectory.poses.size(); ++i) {
            const RigidTransform& pose = trajectory.poses[i];
            const Vec3d t = pose.translation;
            if (format == PoseFormat::tum) {
                const double stamp = trajectory.stamps.empty() ? double(i) : trajectory.stamps[i];
                const Quaternion q = quaternionOf(pose);
                out << fmt::format("{} {} {} {} {} {} {} {}\n", stamp, t.x, t.y, t.z, q.x, q.y, q.z, q.w);
                continue;
            }
            std::string row;
            for (int axis = 0; axis < 3; ++axis)
                row += fmt::format("{}{} {} {} {}", axis > 0 ? " " : "", pose.rows[axis].x, pose.rows[axis].y,
                                   pose.rows[axis].z, t[axis]);
            out << row << '\n';
        }
    };
    writeAtomically(path, write, stop);
}

} // namespace scanloupe
