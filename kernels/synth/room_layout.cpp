// Builds the walls and the furniture of the room.
#include "kernels/synth/scene_room.h"

#include <initializer_list>

namespace scanloupe::synth {
namespace {

void beginGroup(RoomLayout& room) {
    room.groups[room.groupCount++] = {{{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}, 0}, room.boxCount, 0};
}

/// Adds a box to the last group.
void addBox(RoomLayout& room, Vec3d low, Vec3d high, double albedo) {
    RoomLayout::Group& group = room.groups[room.groupCount - 1];
    room.boxes[room.boxCount++] = {low, high, albedo};
    ++group.boxCount;
    group.around.low = min(group.around.low, low);
    group.around.high = max(group.around.high, high);
}

/// Adds four legs under a plate. @param x, y centre of the plate
void addLegs(RoomLayout& room, double x, double y, Vec3d halfPlate, double width, double albedo) {
    for (const double sx : {-1.0, 1.0})
        for (const double sy : {-1.0, 1.0}) {
            const double cx = x + sx * (halfPlate.x - width), cy = y + sy * (halfPlate.y - width);
            addBox(room, {cx - width / 2, cy - width / 2, 0}, {cx + width / 2, cy + width / 2, halfPlate.z},
                   albedo);
        }
}

void addTable(RoomLayout& room, double x, double y) {
    beginGroup(room);
    addBox(room, {x - 0.8, y - 0.45, 0.72}, {x + 0.8, y + 0.45, 0.76}, 0.6);
    addLegs(room, x, y, {0.8, 0.45, 0.72}, 0.06, 0.5);
    addBox(room, {x - 0.55, y - 0.2, 0.76}, {x - 0.25, y + 0.02, 0.80}, 0.3); // a book
    addBox(room, {x - 0.52, y - 0.17, 0.80}, {x - 0.28, y - 0.01, 0.83}, 0.75);
}

/// Adds a chair. @param back 1 or -1: side along y of the chair's back
void addChair(RoomLayout& room, double x, double y, double back) {
    beginGroup(room);
    addBox(room, {x - 0.21, y - 0.21, 0.43}, {x + 0.21, y + 0.21, 0.47}, 0.4);
    addLegs(room, x, y, {0.21, 0.21, 0.43}, 0.04, 0.35);
    const double edge = y + back * 0.19;
    addBox(room, {x - 0.21, edge - 0.02, 0.47}, {x - 0.17, edge + 0.02, 0.92}, 0.4);
    addBox(room, {x + 0.17, edge - 0.02, 0.47}, {x + 0.21, edge + 0.02, 0.92}, 0.4);
    addBox(room, {x - 0.17, edge - 0.015, 0.62}, {x + 0.17, edge + 0.015, 0.90}, 0.4);
}

void addSofa(RoomLayout& room) {
    beginGroup(room);
    addBox(room, {-2.5, -2.5, 0.05}, {-0.5, -1.65, 0.40}, 0.3);
    addBox(room, {-2.5, -2.5, 0.40}, {-0.5, -2.22, 0.82}, 0.3);
    addBox(room, {-2.5, -2.5, 0.05}, {-2.28, -1.65, 0.60}, 0.28);
    addBox(room, {-0.72, -2.5, 0.05}, {-0.5, -1.65, 0.60}, 0.28);
    addBox(room, {-2.26, -2.2, 0.40}, {-1.52, -1.62, 0.50}, 0.38); // cushions
    addBox(room, {-1.48, -2.2, 0.40}, {-0.74, -1.62, 0.50}, 0.38);
}

void addShelf(RoomLayout& room) {
    beginGroup(room);
    for (const double y : {0.7, 2.07})
        addBox(room, {-3, y, 0}, {-2.68, y + 0.03, 2.0}, 0.65);
    for (int board = 0; board < 6; ++board) {
        const double z = 0.05 + 0.385 * board;
        addBox(room, {-3, 0.73, z}, {-2.68, 2.07, z + 0.025}, 0.65);
    }
    const double books[][4] = {// each book block: begin and end along y, height, level of the shelf
                               {0.80, 1.15, 0.26, 1}, {1.15, 1.32, 0.22, 1}, {1.50, 1.95, 0.28, 1},
                               {0.75, 1.00, 0.24, 2}, {1.30, 1.70, 0.27, 2}, {0.90, 1.40, 0.25, 3},
                               {1.60, 2.00, 0.20, 3}, {1.10, 1.50, 0.23, 4}};
    for (const auto& [from, to, height, level] : books) {
        const double z = 0.075 + 0.385 * level;
        addBox(room, {-2.95, from, z}, {-2.75, to, z + height}, 0.15 + 0.4 * (from + to - 1.5));
    }
}

void addOtherFurniture(RoomLayout& room) {
    beginGroup(room); // a sideboard, a screen and a speaker
    addBox(room, {2.52, -1.5, 0.08}, {3, 0.5, 0.60}, 0.55);
    addBox(room, {2.72, -1.05, 0.68}, {2.77, 0.05, 1.30}, 0.12);
    addBox(room, {2.66, -0.65, 0.60}, {2.83, -0.35, 0.68}, 0.2);
    addBox(room, {2.62, 0.22, 0.60}, {2.85, 0.44, 0.95}, 0.25);
    beginGroup(room); // cardboard boxes in the corner
    addBox(room, {2.25, 1.75, 0}, {2.95, 2.4, 0.5}, 0.6);
    addBox(room, {2.35, 1.85, 0.5}, {2.9, 2.35, 0.9}, 0.65);
    addBox(room, {1.6, 1.95, 0}, {2.1, 2.4, 0.35}, 0.58);
    beginGroup(room); // a door with its frame
    addBox(room, {0.9, -2.5, 0}, {0.98, -2.46, 2.1}, 0.8);
    addBox(room, {1.86, -2.5, 0}, {1.94, -2.46, 2.1}, 0.8);
    addBox(room, {0.9, -2.5, 2.1}, {1.94, -2.46, 2.18}, 0.8);
    addBox(room, {1.78, -2.46, 1.0}, {1.84, -2.40, 1.03}, 0.9);
    beginGroup(room); // pictures
    addBox(room, {-1.6, 2.47, 1.35}, {-0.7, 2.5, 2.0}, 0.3);
    addBox(room, {-0.4, 2.47, 1.45}, {0.1, 2.5, 1.95}, 0.45);
    beginGroup(room); // the cord of the lamp
    addBox(room, {-0.625, -0.005, 2.3}, {-0.615, 0.005, 2.8}, 0.2);
    beginGroup(room); // beams under the ceiling
    for (const double x : {-1.5, 0.2, 1.9})
        addBox(room, {x - 0.06, -2.5, 2.64}, {x + 0.06, 2.5, 2.8}, 0.4);
}

} // namespace

RoomLayout makeRoomLayout() {
    RoomLayout room;
    room.walls = {{-3, -2.5, 0}, {3, 2.5, 2.8}, 0.8};
    addTable(room, -0.9, 0.75);
    for (const double x : {-1.3, -0.5}) {
        addChair(room, x, 0.12, -1);
        addChair(room, x, 1.38, 1);
    }
    addSofa(room);
    addShelf(room);
    addOtherFurniture(room);
    room.spheres[room.sphereCount++] = {{-0.6, 0.85, 0.88}, 0.12, 0.85}; // a ball on the table
    room.spheres[room.sphereCount++] = {{1.35, -1.75, 0.28}, 0.28, 0.6};
    room.spheres[room.sphereCount++] = {{-0.62, 0.0, 2.15}, 0.16, 0.95}; // a lamp
    room.column = {1.55, 1.2, 0.17, -0.1, 2.9, 0.75};
    return room;
}

} // namespace scanloupe::synth
