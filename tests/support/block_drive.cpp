// Builds a block of houses with streets around it, and the path of a car through the streets.
#include "tests/support/block_drive.h"

#include "kernels/synth/hash.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe::test {

namespace {

constexpr double kCorner = 6;     // radius of the way at corners, metres
constexpr double kHalfStreet = 7; // distance from the sensor's path to the facades, metres
constexpr double kHouseDepth = 5; // half the depth of a house, metres
constexpr double kSensorHeight = 1.8;
constexpr std::uint64_t kBlockStream = 0x626c6f636b;

/// Random numbers that are the same on every machine.
class BlockDice {
public:
    explicit BlockDice(std::uint64_t seed) : m_seed(seed) {}
    double between(double low, double high) {
        return low + (high - low) * synth::uniform(synth::randomBits(m_seed, kBlockStream, m_count++));
    }

private:
    std::uint64_t m_seed, m_count = 0;
};

void addBox(synth::SolidScene& scene, Vec3d low, Vec3d high, double yaw = 0) {
    scene.boxes.push_back({0.5 * (low + high), 0.5 * (high - low), std::cos(yaw), std::sin(yaw), 0.5});
}

} // namespace

BlockDrive::BlockDrive(const BlockDriveParams& params)
    : m_params(params), m_lap(4 * (params.half.x + params.half.y) - (8 - 2 * std::numbers::pi) * kCorner) {
    m_scene.planes.push_back({2, 0, 1, 0.3});
    addHouses();
    addStreetObjects();
}

void BlockDrive::addHouses() {
    BlockDice dice(m_params.seed);
    const Vec3d half = m_params.half;
    // Rows of houses: along x and along y, inside of the way and outside of it, on both sides.
    for (const int along : {0, 1})
        for (const double out : {-1.0, 1.0})
            for (const double side : {-1.0, 1.0}) {
                const int across = 1 - along;
                const double front = half[across] + out * kHalfStreet;
                const double end = half[along] + out * kHalfStreet + (out > 0 ? 2 * kHouseDepth : 0);
                for (double at = -end; at < end;) {
                    const double width = std::min(dice.between(5, 12), end - at);
                    const double setback = dice.between(0, 2);
                    const double face = front + out * setback, back = face + out * 2 * kHouseDepth;
                    Vec3d low, high;
                    low[along] = at;
                    high[along] = at + width;
                    low[across] = side * face;
                    high[across] = side * back;
                    high.z = dice.between(5, 12);
                    addBox(m_scene, min(low, high), max(low, high));
                    at += width + (dice.between(0, 1) < 0.3 ? dice.between(1, 4) : 0);
                }
            }
}

void BlockDrive::addStreetObjects() {
    BlockDice dice(m_params.seed + 1'000'000);
    for (double at = 4; at < m_lap - 4; at += dice.between(6, 12)) {
        const RigidTransform pose = poseAt(at);
        const double side = dice.between(0, 1) < 0.5 ? -1 : 1;
        Vec3d middle = pose({0, side * dice.between(3.6, 4.4), 0});
        if (dice.between(0, 1) < 0.6) {
            const Vec3d size{dice.between(1.9, 2.3), 0.85, dice.between(0.6, 0.9)};
            middle.z = size.z + 0.2;
            const double yaw = rollPitchYaw(pose).z + dice.between(-0.05, 0.05);
            addBox(m_scene, middle - size, middle + size, yaw);
        } else {
            m_scene.cylinders.push_back({middle.x, middle.y, dice.between(0.08, 0.25), -0.5, 6, 0.35});
        }
    }
}

RigidTransform BlockDrive::poseAt(double metres) const {
    const double x = 2 * (m_params.half.x - kCorner), y = 2 * (m_params.half.y - kCorner);
    const double turn = std::numbers::pi / 2 * kCorner;
    double rest = std::fmod(metres, m_lap);
    // The path starts in the middle of the street at the bottom, along x, and runs counter-clockwise.
    Vec3d position{0, -m_params.half.y, kSensorHeight};
    double heading = 0;
    const double straights[] = {x / 2, y, x, y, x / 2};
    for (const double straight : straights) {
        const Vec3d ahead{std::cos(heading), std::sin(heading), 0};
        const double driven = std::min(rest, straight);
        position += driven * ahead;
        rest -= driven;
        if (rest <= 0)
            break;
        const Vec3d middle = position + kCorner * Vec3d{-ahead.y, ahead.x, 0};
        heading += std::min(rest, turn) / kCorner;
        position = middle + kCorner * Vec3d{std::sin(heading), -std::cos(heading), 0};
        rest -= turn;
        if (rest <= 0)
            break;
    }
    return fromRollPitchYaw({0, 0, heading}, position);
}

RigidTransform BlockDrive::truth(std::size_t frame) const {
    return poseAt(0).inverse() * sweep(frame).pose;
}

synth::LidarSweep BlockDrive::sweep(std::size_t frame) const {
    synth::LidarSweep sweep;
    sweep.lidar = m_params.lidar;
    sweep.pose = poseAt(length() * double(frame) / double(std::max<std::size_t>(m_params.frames, 2) - 1));
    sweep.rangeNoise = m_params.noise;
    sweep.seed = m_params.seed;
    sweep.frame = frame;
    return sweep;
}

} // namespace scanloupe::test
