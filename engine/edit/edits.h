#pragma once
// Declares selections of points and layers of edits of a scan, as values. Positions are in the file's frame
// and unit. The scan's file is never modified.
#include "kernels/change/local_model.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"
#include "kernels/field/sculpt/sculpt.h"
#include "kernels/formula/cuda_file.h"
#include "kernels/raster/core/camera.h"
#include "kernels/select/point_set.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace scanloupe {

/// Selects points inside an outline that was drawn in a view: a lasso, a rectangle or a polygon.
struct OutlineRegion {
    Camera camera;
    int width = 1, height = 1;                  ///< size of the view, pixels
    std::vector<std::array<double, 2>> corners; ///< corners in pixels, y downwards
    bool visibleOnly = false;                   ///< excludes points that are occluded by others
    double spacing = 0; ///< width that each point occludes: the distance between neighbouring points, metres
    bool operator==(const OutlineRegion&) const = default;
};
/// Selects points within a radius of a path: the stroke of a brush.
struct StrokeRegion {
    std::vector<Vec3d> path;
    double radius = 0; ///< > 0
    /// The first point of the path is the last point of the previous stroke, which has already been applied
    /// there.
    bool continues = false;
    std::vector<double> pressures = {}; ///< [path] pressure of a pen at each point of the path, 0 to 1;
                                        ///< empty: 1 everywhere
    bool operator==(const StrokeRegion&) const = default;
};
/// Selects points on the side of a plane to which the normal points.
struct HalfSpaceRegion {
    Vec3d at, normal; ///< `normal` has any length > 0
    bool operator==(const HalfSpaceRegion&) const = default;
};
/// Selects points between two parallel planes.
struct SlabRegion {
    Vec3d at, direction; ///< `at` is half way between the planes; `direction` has any length > 0
    double thickness = 0;
    bool operator==(const SlabRegion&) const = default;
};
/// Selects points whose attribute is in a closed range.
struct AttributeRegion {
    std::string attribute;
    double low = 0, high = 0;
    bool operator==(const AttributeRegion&) const = default;
};
/// Selects points in some classes of a categorical attribute.
struct ClassRegion {
    std::string attribute;
    std::vector<std::int64_t> values;
    bool operator==(const ClassRegion&) const = default;
};
/// Selects points whose red, green and blue differ from those of a colour by at most the tolerance.
struct ColourRegion {
    std::array<double, 3> rgb{}; ///< 0 to 255
    double tolerance = 0;        ///< maximum difference of each component, 0 to 255
    bool operator==(const ColourRegion&) const = default;
};
/// Selects points for which a formula is neither 0 nor NaN. See Expression, and formulaNames() for the names.
struct FormulaRegion {
    std::string formula;
    Vec3d up{0, 0, 1}; ///< unit vector along which the variable `height` is measured
    bool operator==(const FormulaRegion&) const = default;
};
/// Selects the part of the scan that is connected to a point, across gaps of up to about the size of a cell.
struct ConnectedRegion {
    Vec3d seed;
    double cell = 0; ///< metres, > 0
    bool operator==(const ConnectedRegion&) const = default;
};
/// Grows the selection by neighbouring cells. A negative number of steps shrinks it.
struct GrowRegion {
    double cell = 0; ///< metres, > 0
    int steps = 1;
    bool operator==(const GrowRegion&) const = default;
};
/// Inverts the selection.
struct InvertRegion {
    bool operator==(const InvertRegion&) const = default;
};

using SelectionRegion =
    std::variant<OutlineRegion, StrokeRegion, HalfSpaceRegion, SlabRegion, AttributeRegion, ClassRegion,
                 ColourRegion, FormulaRegion, ConnectedRegion, GrowRegion, InvertRegion>;

/// A region, and how it is combined with the selection of the previous steps. GrowRegion and InvertRegion
/// transform that selection instead.
struct SelectionStep {
    SetOperation operation = SetOperation::replace;
    std::shared_ptr<const SelectionRegion> region; ///< shared by all states of the history that contain it
    bool operator==(const SelectionStep& other) const;
};
SelectionStep stepOf(SetOperation operation, SelectionRegion region);

/// The points that a sequence of steps selects. Without steps, nothing is selected.
struct PointSelection {
    std::vector<SelectionStep> steps;
    bool empty() const { return steps.empty(); }
    bool operator==(const PointSelection&) const = default;
};
struct NamedSelection {
    std::string name;
    PointSelection selection;
    bool operator==(const NamedSelection&) const = default;
};

/// Name of the attribute that SetClassAction sets. Scans without it get one of type uint8.
inline constexpr const char* kClassAttribute = "classification";

struct RemoveAction {
    bool operator==(const RemoveAction&) const = default;
};
/// Removes all points outside the selection.
struct KeepAction {
    bool operator==(const KeepAction&) const = default;
};
struct SetClassAction {
    std::int64_t value = 0;
    bool operator==(const SetClassAction&) const = default;
};
/// Sets red, green and blue. If the scan has no colours, they are added, and the other points become light
/// grey.
struct SetColourAction {
    std::array<std::uint8_t, 3> rgb{};
    bool operator==(const SetColourAction&) const = default;
};
struct MoveAction {
    RigidTransform motion; ///< motion of the points, in the file's frame
    bool operator==(const MoveAction&) const = default;
};
/// Sets an attribute to the values of a formula, in single precision. If the scan lacks the attribute, it is
/// added, with NaN at the other points.
struct ComputeAction {
    std::string attribute;
    std::string formula;
    Vec3d up{0, 0, 1}; ///< see FormulaRegion::up
    bool operator==(const ComputeAction&) const = default;
};
/// A plane of symmetry.
struct MirrorPlane {
    Vec3d at, normal{1, 0, 0}; ///< `normal` has any length > 0
    bool operator==(const MirrorPlane&) const = default;

    Vec3d mirrored(Vec3d place) const { return place + direction(at - place); }
    /// Returns the displacement of a point by the reflection, if `way` leads from the point to the plane.
    Vec3d direction(Vec3d way) const { return normal * (2 * dot(way, normal) / squaredNorm(normal)); }
};
/// Changes the field, and thereby the surface, along the strokes of the layer's selection, see SculptDab.
/// Points and voxels do not change.
struct SculptAction {
    SculptTool tool = SculptTool::fill;
    double strength = 1;                 ///< strength of one pass over a point, 0 to 1
    double falloff = 0.5;                ///< share of the radius over which the effect fades out, 0 to 1
    double level = 0, slope = 1;         ///< value of the field at the surface, and its change per metre
                                         ///< inwards, not 0
    Vec3d planeAt, planeNormal{0, 0, 1}; ///< plane of the tool `flatten` in the file's frame, with the normal
                                         ///< outwards
    Vec3d cloneFrom;                     ///< vector to the surface that the tool `clone` copies
    std::optional<MirrorPlane> mirror;   ///< if set, strokes work on both sides of this plane
    bool operator==(const SculptAction&) const = default;
};
/// Applies a function in a CUDA file, which sets colours or an attribute of the selected points, or the field
/// everywhere. Where the function returns NaN, values stay unchanged.
struct CudaFileAction {
    CudaFile file;
    std::string attribute;       ///< name of the attribute to set, for CudaFunction::value
    Vec3d up{0, 0, 1};           ///< see FormulaRegion::up
    double level = 0, slope = 1; ///< used for CudaFunction::field, see SculptAction::level
    bool operator==(const CudaFileAction&) const = default;
};
/// Name of the attribute that CompareAction sets.
inline constexpr const char* kDeviationAttribute = "deviation";
/// Sets the attribute kDeviationAttribute to the signed distances from a mesh or another scan, in the scan's
/// unit. Distances are positive on the side of the reference's normals; from a scan without normals, all are
/// positive. NaN marks points that are too far away, and points that no layer has compared.
struct CompareAction {
    std::string reference;                ///< file of the reference: a mesh or another scan
    double scale = 1;                     ///< factor from the unit of the file to the scan's unit
    double largest = 0;                   ///< maximum distance; farther points get NaN; 0: no limit
    double average = 0;                   ///< window of averagedDeviations(); 0: no averaging
    LocalModel model = LocalModel::plane; ///< local model, for a reference that is a scan
    int neighbours = kModelNeighbours;    ///< number of points that the local model is fitted to
    /// Maximum angle between the normals of a point and of the reference, degrees, up to 180; points above it
    /// get NaN. 0: no limit.
    double largestAngle = 0;
    bool operator==(const CompareAction&) const = default;
};
using EditAction = std::variant<RemoveAction, KeepAction, SetClassAction, SetColourAction, MoveAction,
                                ComputeAction, SculptAction, CudaFileAction, CompareAction>;

/// An action on a selection of the points that are left by the layers below.
struct EditLayer {
    std::string name;
    bool isHidden = false; ///< a hidden layer has no effect
    PointSelection selection;
    EditAction action;
    bool operator==(const EditLayer&) const = default;
};
using EditLayers = std::vector<std::shared_ptr<const EditLayer>>;

/// The user's manual edits of a scan.
struct Edits {
    EditLayers layers;        ///< ascending: the first layer is applied first
    PointSelection selection; ///< current selection, among the points that are left by all layers
    std::vector<NamedSelection> named;
    bool operator==(const Edits& other) const;
    bool empty() const { return layers.empty() && selection.empty() && named.empty(); }
};

/// Whether an action changes the field instead of the points.
bool changesField(const EditAction& action);
/// Return the layers that change points, and those that change the field.
EditLayers pointLayers(const EditLayers& layers);
EditLayers sculptLayers(const EditLayers& layers);
/// Whether two lists of layers have the same effect on a scan. Names and hidden layers are ignored.
bool haveSameEffect(const EditLayers& a, const EditLayers& b);

} // namespace scanloupe
