// Builds the houses, the parked cars and the street furniture of the street.
#include "kernels/synth/scene_street.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace scanloupe::synth {
namespace {

using Corner = std::pair<double, double>; // x forward, z up, metres

Profile makeProfile(std::span<const Corner> corners) {
    Profile profile;
    profile.corners = static_cast<int>(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto [x, z] = corners[i];
        const auto [nextX, nextZ] = corners[(i + 1) % corners.size()];
        profile.x[i] = x;
        profile.z[i] = z;
        profile.ex[i] = nextX - x;
        profile.ez[i] = nextZ - z;
        profile.inverseLength[i] =
            1 / std::sqrt(profile.ex[i] * profile.ex[i] + profile.ez[i] * profile.ez[i]);
    }
    return profile;
}

CarShape makeShape(std::span<const Corner> body, std::span<const Corner> cabin) {
    CarShape shape;
    shape.body = makeProfile(body);
    shape.cabin = makeProfile(cabin);
    double front = 0, top = 0;
    for (const auto& [x, z] : body)
        front = std::max(front, std::abs(x));
    for (const auto& [x, z] : cabin)
        top = std::max(top, z);
    shape.half = {front + shape.bodyRounding, shape.bodyHalfWidth + shape.bodyRounding + 0.03,
                  top + shape.cabinRounding};
    return shape;
}

std::array<CarShape, StreetLayout::kShapes> carShapes() {
    const Corner saloonBody[] = {{-2.15, 0.42}, {-2.05, 0.30}, {2.05, 0.30},  {2.18, 0.45},
                                 {2.12, 0.66},  {0.95, 0.85},  {-1.85, 0.90}, {-2.12, 0.80}};
    const Corner saloonCabin[] = {{-1.75, 0.80}, {1.00, 0.80}, {0.15, 1.30}, {-0.95, 1.33}};
    const Corner hatchBody[] = {{-1.85, 0.45}, {-1.78, 0.30}, {1.75, 0.30}, {1.88, 0.48},
                                {1.80, 0.72},  {0.90, 0.90},  {-1.75, 0.95}};
    const Corner hatchCabin[] = {{-1.68, 0.85}, {0.95, 0.85}, {0.20, 1.38}, {-1.25, 1.40}, {-1.55, 1.20}};
    const Corner vanBody[] = {{-2.35, 0.50}, {-2.28, 0.34}, {2.25, 0.34}, {2.38, 0.55},
                              {2.30, 0.95},  {1.60, 1.12},  {-2.32, 1.15}};
    const Corner vanCabin[] = {{-2.25, 1.00}, {1.70, 1.00}, {0.95, 1.80}, {-2.10, 1.86}};
    std::array shapes{makeShape(saloonBody, saloonCabin), makeShape(hatchBody, hatchCabin),
                      makeShape(vanBody, vanCabin)};
    shapes[1].wheelX = 1.15;
    shapes[2].wheelX = 1.5;
    shapes[2].wheelRadius = 0.35;
    return shapes;
}

struct Row {
    double end, front;
    int floors, doorColumn;
    double windowWidth, albedo;
};

void addHouses(StreetLayout& street, bool alongY, double side, double start, std::span<const Row> rows) {
    for (const Row& row : rows) {
        House& house = street.houses[street.houseCount++];
        const int columns = static_cast<int>((row.end - start) / 2.7);
        house = {alongY,  side,       start,          row.end,         row.front,
                 columns, row.floors, row.doorColumn, row.windowWidth, row.albedo};
        start = row.end;
    }
}

void addAllHouses(StreetLayout& street) {
    const Row left[] = {{-11.0, 8.6, 3, 1, 1.2, 0.55}, {0.0, 8.9, 2, 2, 1.4, 0.72},
                        {9.5, 8.5, 3, 0, 1.1, 0.48},   {21.0, 9.3, 4, 1, 1.3, 0.62},
                        {31.5, 8.7, 2, 3, 1.5, 0.80},  {41.0, 9.0, 3, 1, 1.2, 0.52},
                        {52.0, 8.6, 3, 0, 1.3, 0.66}};
    const Row right[] = {{-13.0, 8.8, 2, 2, 1.3, 0.68}, {-3.0, 8.4, 4, 0, 1.2, 0.50},
                         {6.5, 9.1, 3, 2, 1.4, 0.75},   {17.0, 8.6, 2, 1, 1.2, 0.58},
                         {27.5, 8.9, 3, 3, 1.3, 0.45},  {39.0, 8.4, 3, 0, 1.1, 0.70},
                         {52.0, 9.2, 2, 2, 1.5, 0.60}};
    const Row across[] = {{-3.0, 21.5, 3, 1, 1.3, 0.64}, {11.0, 21.0, 2, 0, 1.4, 0.54}};
    const Row behind[] = {{1.0, 51.0, 2, 1, 1.2, 0.70}, {11.0, 50.5, 3, 2, 1.3, 0.56}};
    addHouses(street, false, 1, -23, left);
    addHouses(street, false, -1, -23, right);
    addHouses(street, true, -1, -11, across);
    addHouses(street, true, 1, -11, behind);
}

void addCars(StreetLayout& street) {
    // Cars along the left, then the right curb: shape, x, y, cosine and sine of the heading before
    // normalization (cosine -1 on the left side, where cars face the opposite direction), albedo.
    const Car cars[] = {
        {0, -15.5, 3.92, -1, 0.01, 0.70}, {1, -9.8, 3.98, -1, -0.02, 0.30},  {2, -1.6, 3.88, -1, 0.0, 0.85},
        {0, 4.1, 3.95, -1, 0.02, 0.18},   {1, 9.2, 3.90, -1, -0.01, 0.60},   {0, 17.4, 3.94, -1, 0.015, 0.92},
        {1, 22.3, 4.00, -1, 0.03, 0.25},  {2, 28.3, 3.90, -1, -0.01, 0.50},  {0, 38.0, 3.96, -1, 0.0, 0.75},
        {1, -12.0, -3.92, 1, 0.01, 0.88}, {0, -4.2, -3.97, 1, -0.015, 0.40}, {1, 1.2, -3.90, 1, 0.02, 0.65},
        {0, 6.4, -3.95, 1, 0.0, 0.22},    {2, 14.9, -3.90, 1, 0.01, 0.80},   {1, 20.4, -3.99, 1, -0.03, 0.55},
        {0, 25.6, -3.93, 1, 0.0, 0.90},   {1, 34.5, -3.95, 1, 0.02, 0.35}};
    for (Car car : cars) {
        const double length = std::sqrt(car.cosine * car.cosine + car.sine * car.sine);
        car.cosine /= length;
        car.sine /= length;
        street.cars[street.carCount++] = car;
    }
}

void addPosts(StreetLayout& street) {
    const auto cylinder = [&](double x, double y, double radius, double top, double albedo) {
        street.cylinders[street.cylinderCount++] = {x, y, radius, -0.5, top, albedo};
    };
    const auto sphere = [&](double x, double y, double z, double radius, double albedo) {
        street.spheres[street.sphereCount++] = {{x, y, z}, radius, albedo};
    };
    for (int i = 0; i < 5; ++i) { // lamp posts with globes, alternating between left and right
        const double x = -12.0 + 12 * i, y = i % 2 == 0 ? 5.5 : -5.5;
        cylinder(x, y, 0.07, 4.4, 0.35);
        sphere(x, y, 4.6, 0.25, 0.95);
    }
    for (int i = 0; i < 6; ++i) { // trees
        const double x = -7.0 + 9.5 * i, y = i % 2 == 0 ? -6.1 : 6.1;
        cylinder(x, y, 0.15, 2.6, 0.25);
        sphere(x, y, 3.4, 1.05 + 0.05 * i, 0.38);
    }
    // bollards in the gaps between cars
    for (int i = 0; i < 5; ++i)
        cylinder(11.7 + 0.75 * i, 5.3, 0.08, 0.95, 0.5);
    for (int i = 0; i < 5; ++i)
        cylinder(28.5 + 0.75 * i, -5.3, 0.08, 0.95, 0.5);
    sphere(11.0, -6.4, 0.14 + 0.42, 0.45, 0.7); // stone balls on the pavement
    sphere(12.6, -6.3, 0.14 + 0.36, 0.40, 0.7);
    sphere(25.4, 6.6, 0.14 + 0.47, 0.50, 0.7);
}

} // namespace

StreetLayout makeStreetLayout() {
    StreetLayout street;
    const auto shapes = carShapes();
    for (std::size_t i = 0; i < shapes.size(); ++i)
        street.shapes[i] = shapes[i];
    addAllHouses(street);
    addCars(street);
    addPosts(street);
    return street;
}

} // namespace scanloupe::synth
