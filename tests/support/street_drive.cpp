#include "tests/support/street_drive.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::test {

namespace {

constexpr double kExtent = 200, kPitch = 71.3, kBlock = 50, kNoise = 0.02, kDensity = 7;
constexpr double kPi = 3.14159265358979323846;

/// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled" (2016).
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed * 0x9E3779B97F4A7C15U + 0x1234567) {
        for (int i = 0; i < 8; ++i)
            next();
    }
    double uniform() { return double(next() >> 11) * 0x1p-53; }
    double normal() {
        const double a = uniform(), b = uniform();
        return std::sqrt(-2 * std::log(a + 1e-300)) * std::cos(2 * kPi * b);
    }

private:
    std::uint64_t next() {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return m_state * 0x2545F4914F6CDD1DU;
    }
    std::uint64_t m_state;
};

double ground(double x, double y) {
    return 0.83 + 1.1 * std::sin(x / 43) * std::cos(y / 57);
}

struct House {
    double x0, y0, x1, y1, height;
    double width() const { return x1 - x0; }
    double depth() const { return y1 - y0; }
};
std::vector<House> houses() {
    std::vector<House> all;
    Random random(5);
    const int blocks = int(2 * kExtent / kPitch) + 1;
    for (int i = 0; i < blocks; ++i) {
        for (int j = 0; j < blocks; ++j) {
            const double x = -kExtent + kPitch * (i + 0.5) + random.uniform() * 3 - 1.5;
            const double y = -kExtent + kPitch * (j + 0.5) + random.uniform() * 3 - 1.5;
            for (int k = 0; k < 4; ++k) { // four houses with gaps between them
                const double width = kBlock * 0.5 - 1.2 - random.uniform() * 2;
                const double depth = kBlock * 0.5 - 1.2 - random.uniform() * 2;
                const double left = x + (k & 1 ? 1.2 : -1.2 - width), near = y + (k & 2 ? 1.2 : -1.2 - depth);
                all.push_back({left, near, left + width, near + depth, 9 + random.uniform() * 14});
            }
        }
    }
    return all;
}

struct Post {
    double x, y, radius, height;
};
std::vector<Post> posts() {
    std::vector<Post> all;
    Random random(9);
    const int streets = int(2 * kExtent / kPitch) + 2;
    for (int i = 0; i < streets; ++i) {
        for (int k = 0; k < 34; ++k) {
            const double across = -kExtent + kPitch * i + (random.uniform() * 2 - 1) * 6;
            const double along = -kExtent + 2 * kExtent * random.uniform();
            // in the order in which a braced list is evaluated
            const double radius = 0.12 + 0.25 * random.uniform(), height = 5 + 3 * random.uniform();
            all.push_back(k & 1 ? Post{across, along, radius, height} : Post{along, across, radius, height});
        }
    }
    return all;
}

/// Distance along a ray from `from` to the ground; at most `best`.
double toGround(Vec3d from, Vec3d ray, double best) {
    if (!(ray.z < 0.1))
        return best;
    double t = 0.5;
    for (int step = 0; step < 400 && t < best; ++step) {
        const double above = from.z + t * ray.z - ground(from.x + t * ray.x, from.y + t * ray.y);
        if (above < 1e-5)
            return t;
        t += std::max(above * 0.7, 1e-5);
    }
    return best;
}
double toHouse(const House& house, Vec3d from, Vec3d ray, double best) {
    const double low[2] = {house.x0, house.y0}, high[2] = {house.x1, house.y1};
    double enter = 0, leave = best;
    for (int axis = 0; axis < 2; ++axis) {
        if (std::abs(ray[axis]) < 1e-12) {
            if (from[axis] < low[axis] || from[axis] > high[axis])
                return best;
            continue;
        }
        double a = (low[axis] - from[axis]) / ray[axis], b = (high[axis] - from[axis]) / ray[axis];
        if (a > b)
            std::swap(a, b);
        enter = std::max(enter, a);
        leave = std::min(leave, b);
    }
    if (enter >= leave || enter <= 0)
        return best;
    const Vec3d at = from + ray * enter;
    const double height = at.z - ground(at.x, at.y);
    return height < house.height && height > 0 ? enter : best;
}
double toPost(const Post& post, Vec3d from, Vec3d ray, double best) {
    const double x = from.x - post.x, y = from.y - post.y, a = ray.x * ray.x + ray.y * ray.y,
                 b = x * ray.x + y * ray.y, c = x * x + y * y - post.radius * post.radius, d = b * b - a * c;
    if (d < 0)
        return best;
    const double t = (-b - std::sqrt(d)) / a;
    if (t <= 0 || t >= best)
        return best;
    const Vec3d at = from + ray * t;
    const double height = at.z - ground(at.x, at.y);
    return height > 0 && height < post.height ? t : best;
}

} // namespace

std::vector<Vec3f> streetMap() {
    const std::vector<House> allHouses = houses();
    std::vector<Vec3f> points;
    Random random(1);
    const auto put = [&](double x, double y, double z) {
        const double dx = random.normal(), dy = random.normal(), dz = random.normal();
        points.push_back(Vec3d{x + kNoise * dx, y + kNoise * dy, z + kNoise * dz}.as<float>());
    };
    const auto underHouse = [&](double x, double y) {
        return std::any_of(allHouses.begin(), allHouses.end(),
                           [&](const House& h) { return x > h.x0 && x < h.x1 && y > h.y0 && y < h.y1; });
    };
    const auto onGround = std::size_t(4 * kExtent * kExtent * kDensity);
    for (std::size_t i = 0; i < onGround; ++i) {
        const double x = (random.uniform() * 2 - 1) * kExtent, y = (random.uniform() * 2 - 1) * kExtent;
        if (!underHouse(x, y))
            put(x, y, ground(x, y));
    }
    for (const House& house : allHouses) {
        const double w = house.width(), d = house.depth(), around = 2 * (w + d);
        const auto onWalls = std::size_t(around * house.height * kDensity);
        for (std::size_t i = 0; i < onWalls; ++i) {
            const double s = random.uniform() * around, z = random.uniform() * house.height;
            double x = house.x0 + s, y = house.y0;
            if (s >= 2 * w + d) {
                x = house.x1;
                y = house.y0 + s - 2 * w - d;
            } else if (s >= 2 * w) {
                x = house.x0;
                y = house.y0 + s - 2 * w;
            } else if (s >= w) {
                x = house.x0 + s - w;
                y = house.y1;
            }
            put(x, y, z + ground(x, y));
        }
        const auto onRoof = std::size_t(w * d * kDensity * 0.5);
        for (std::size_t i = 0; i < onRoof; ++i) {
            const double y = house.y0 + random.uniform() * d, x = house.x0 + random.uniform() * w;
            put(x, y, house.height + 0.83);
        }
    }
    for (const Post& post : posts()) {
        const auto count = std::size_t(6.28 * post.radius * post.height * kDensity * 4);
        for (std::size_t i = 0; i < count; ++i) {
            const double angle = random.uniform() * 2 * kPi;
            const double x = post.x + post.radius * std::cos(angle),
                         y = post.y + post.radius * std::sin(angle);
            put(x, y, random.uniform() * post.height + ground(post.x, post.y));
        }
    }
    return points;
}

RigidTransform streetPose() {
    return fromRollPitchYaw({0.012, -0.008, 0.41},
                            {-kExtent + kPitch * 3 + 1.3, -kExtent + kPitch * 2 + 15.7, 0.83 + 1.9});
}
RigidTransform streetStart() {
    RigidTransform start = fromRollPitchYaw({0.012 + 0.006, -0.008 - 0.007, 0.41 + 0.035}, {});
    start.translation = streetPose().translation + Vec3d{0.45, -0.35, 0.12};
    return start;
}

std::vector<Vec3f> streetScan(std::size_t points) {
    constexpr double farthest = 90, nearest = 1.5, evenFrom = 35;
    const std::vector<House> allHouses = houses();
    const std::vector<Post> allPosts = posts();
    const RigidTransform pose = streetPose();
    Random random(77 + points);
    std::vector<Vec3f> scan;
    while (scan.size() < points) {
        const double azimuth = random.uniform() * 2 * kPi,
                     elevation = (-25 + 42 * random.uniform()) * kPi / 180;
        const Vec3d ray{std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                        std::sin(elevation)};
        double range = toGround(pose.translation, ray, farthest);
        for (const House& house : allHouses)
            range = toHouse(house, pose.translation, ray, range);
        for (const Post& post : allPosts)
            range = toPost(post, pose.translation, ray, range);
        if (range >= farthest || range < nearest)
            continue;
        if (random.uniform() > std::min(1.0, range / evenFrom * (range / evenFrom)))
            continue; // near surfaces were sampled by more rays
        const Vec3d noise{random.normal(), random.normal(), random.normal()};
        scan.push_back(pose.rotateBack(ray * range + noise * kNoise).as<float>());
    }
    return scan;
}

} // namespace scanloupe::test
