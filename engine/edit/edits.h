#pragma once
// Declares selections of points and layers of edits over a scan, as values. Positions are in the file's frame
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

/// Points within an outline that was drawn in a view: a lasso, a rectangle, a polygon.
struct OutlineRegion {
    Camera camera;
    int width = 1, height = 1;                  ///< size of the view, pixels
    std::vector<std::array<double, 2>> corners; ///< pixels, y downwards
    bool visibleOnly = false;                   ///< excludes points occluded by others
    double spacing = 0; ///< metres between neighbouring points; each point occludes this width
    bool operator==(const OutlineRegion&) const = default;
};
/// Points within a radius of a line: a stroke of a brush.
struct StrokeRegion {
    std::vector<Vec3d> path;
    double radius = 0; ///< > 0
    /// Its first point is the last one of the previous stroke, which has already been applied there.
    bool continues = false;
    std::vector<double> pressures = {}; ///< [path] of a pen, 0 to 1; empty: 1 everywhere
    bool operator==(const StrokeRegion&) const = default;
};
/// Points on the side of a plane that its normal points to.
struct HalfSpaceRegion {
    Vec3d at, normal; ///< `normal` has any length > 0
    bool operator==(const HalfSpaceRegion&) const = default;
};
/// Points between two parallel planes.
struct SlabRegion {
    Vec3d at, direction; ///< half way between them; `direction` has any length > 0
    double thickness = 0;
    bool operator==(const SlabRegion&) const = default;
};
/// Points whose attribute is in a closed range.
struct AttributeRegion {
    std::string attribute;
    double low = 0, high = 0;
    bool operator==(const AttributeRegion&) const = default;
};
/// Points of some classes of a categorical attribute.
struct ClassRegion {
    std::string attribute;
    std::vector<std::int64_t> values;
    bool operator==(const ClassRegion&) const = default;
};
/// Points whose red, green and blue are each near those of a colour.
struct ColourRegion {
    std::array<double, 3> rgb{}; ///< 0 to 255
    double tolerance = 0;        ///< the same
    bool operator==(const ColourRegion&) const = default;
};
/// Points for which a formula is neither 0 nor NaN. See Expression, and formulaNames() for its names.
struct FormulaRegion {
    std::string formula;
    Vec3d up{0, 0, 1}; ///< unit vector that `height` is measured along
    bool operator==(const FormulaRegion&) const = default;
};
/// The part of the scan around a point, up to gaps of about the size of a cell.
struct ConnectedRegion {
    Vec3d seed;
    double cell = 0; ///< metres, > 0
    bool operator==(const ConnectedRegion&) const = default;
};
/// Grows the selection by touching cells, or shrinks it with negative steps.
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

/// A region, and how it changes the selection of the previous steps. Growing and inverting replace it.
struct SelectionStep {
    SetOperation operation = SetOperation::replace;
    std::shared_ptr<const SelectionRegion> region; ///< shared by all states of the work that have it
    bool operator==(const SelectionStep& other) const;
};
SelectionStep stepOf(SetOperation operation, SelectionRegion region);

/// Points that steps select, one after the other. No step: none.
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

/// The attribute that SetClassAction sets. Scans without it get one of type uint8.
inline constexpr const char* kClassAttribute = "classification";

struct RemoveAction {
    bool operator==(const RemoveAction&) const = default;
};
/// Removes all but the selection.
struct KeepAction {
    bool operator==(const KeepAction&) const = default;
};
struct SetClassAction {
    std::int64_t value = 0;
    bool operator==(const SetClassAction&) const = default;
};
/// Sets red, green and blue. A scan without colours gets them, light grey for the other points.
struct SetColourAction {
    std::array<std::uint8_t, 3> rgb{};
    bool operator==(const SetColourAction&) const = default;
};
struct MoveAction {
    RigidTransform motion; ///< in the file's frame
    bool operator==(const MoveAction&) const = default;
};
/// Sets an attribute to the values of a formula, in single precision. One that the scan doesn't have is NaN
/// at the other points.
struct ComputeAction {
    std::string attribute;
    std::string formula;
    Vec3d up{0, 0, 1}; ///< as in FormulaRegion
    bool operator==(const ComputeAction&) const = default;
};
/// A plane of symmetry.
struct MirrorPlane {
    Vec3d at, normal{1, 0, 0}; ///< `normal` has any length > 0
    bool operator==(const MirrorPlane&) const = default;

    Vec3d mirrored(Vec3d place) const { return place + direction(at - place); }
    /// The reflection's displacement of a vector.
    Vec3d direction(Vec3d way) const { return normal * (2 * dot(way, normal) / squaredNorm(normal)); }
};
/// Changes the field, and so the surface, along the strokes that are the layer's selection: see SculptDab.
/// Points and voxels stay as they are.
struct SculptAction {
    SculptTool tool = SculptTool::fill;
    double strength = 1;                 ///< 0 to 1, of one pass over a point
    double falloff = 0.5;                ///< share of the radius, 0 to 1
    double level = 0, slope = 1;         ///< field at the surface, and its slope per metre inwards, not 0
    Vec3d planeAt, planeNormal{0, 0, 1}; ///< `flatten`: file's frame; the normal leads outwards
    Vec3d cloneFrom;                     ///< `clone`: vector to the source of the surface
    std::optional<MirrorPlane> mirror;   ///< strokes work on both of its sides
    bool operator==(const SculptAction&) const = default;
};
/// Applies a function in a CUDA file: sets colours or an attribute of the selected points, or the field
/// everywhere. Where the function returns NaN, values stay unchanged.
struct CudaFileAction {
    CudaFile file;
    std::string attribute;       ///< for CudaFunction::value
    Vec3d up{0, 0, 1};           ///< as in FormulaRegion
    double level = 0, slope = 1; ///< for CudaFunction::field: as in SculptAction
    bool operator==(const CudaFileAction&) const = default;
};
/// The attribute that CompareAction sets.
inline constexpr const char* kDeviationAttribute = "deviation";
/// Sets kDeviationAttribute to the signed distances from a model or another scan, in the scan's unit:
/// positive on the side of its triangles' or points' normals, and everywhere for a scan without normals. NaN
/// at points that are too far away, and at those that no layer has compared.
struct CompareAction {
    std::string reference;                ///< the file of the model, or of another scan
    double scale = 1;                     ///< the scan's unit of a unit of the file
    double largest = 0;                   ///< limit for the distance of points; 0: none
    double average = 0;                   ///< window of averagedDeviations(); 0: each point has its own
    LocalModel model = LocalModel::plane; ///< for a reference that is a scan
    int neighbours = kModelNeighbours;    ///< points that the model is fitted to
    /// Degrees, up to 180: points whose normals differ more from the reference's have none; 0: no limit
    double largestAngle = 0;
    bool operator==(const CompareAction&) const = default;
};
using EditAction = std::variant<RemoveAction, KeepAction, SetClassAction, SetColourAction, MoveAction,
                                ComputeAction, SculptAction, CudaFileAction, CompareAction>;

/// An action on a selection of the points that result from the layers below.
struct EditLayer {
    std::string name;
    bool isHidden = false; ///< it has no effect
    PointSelection selection;
    EditAction action;
    bool operator==(const EditLayer&) const = default;
};
using EditLayers = std::vector<std::shared_ptr<const EditLayer>>;

/// The user's manual edits of a scan.
struct Edits {
    EditLayers layers;        ///< the first one is applied first
    PointSelection selection; ///< current selection of the points that result from all layers
    std::vector<NamedSelection> named;
    bool operator==(const Edits& other) const;
    bool empty() const { return layers.empty() && selection.empty() && named.empty(); }
};

/// Whether an action changes the field, and no points.
bool changesField(const EditAction& action);
/// The layers that change points, and those that change the field.
EditLayers pointLayers(const EditLayers& layers);
EditLayers sculptLayers(const EditLayers& layers);
/// Whether two lists of layers make the same of a scan: names and hidden layers don't matter.
bool haveSameEffect(const EditLayers& a, const EditLayers& b);

} // namespace scanloupe
