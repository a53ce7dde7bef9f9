// Defines the table of all stages, one line per stage.
#include "engine/stages/clean.h"
#include "engine/stages/distances.h"
#include "engine/stages/edit.h"
#include "engine/stages/extract.h"
#include "engine/stages/field.h"
#include "engine/stages/picture.h"
#include "engine/stages/quality.h"
#include "engine/stages/sculpt.h"
#include "engine/stages/section.h"
#include "engine/stages/selection.h"
#include "engine/stages/shown_voxels.h"
#include "engine/stages/smooth.h"
#include "engine/stages/upload.h"
#include "engine/stages/views.h"
#include "engine/stages/voxelize.h"

namespace scanloupe {

std::span<const StageDeclaration> stageDeclarations() {
    static const std::vector<StageDeclaration> all{
        declared<UploadStage>(),       declared<EditStage>(),        declared<SelectionStage>(),
        declared<VoxelizeStage>(),     declared<FieldStage>(),       declared<AutoIsoStage>(),
        declared<SculptStage>(),       declared<ShownVoxelsStage>(), declared<ExtractStage>(),
        declared<CleanStage>(),        declared<SmoothStage>(),      declared<SectionStage>(),
        declared<PointSearchStage>(),  declared<DistancesStage>(),   declared<TopologyStage>(),
        declared<TriangleTreeStage>(), declared<QualityStage>(),     declared<SceneStage>(),
        declared<PictureStage>(),      declared<VoxelViewStage>(),   declared<MeshViewStage>(),
    };
    return all;
}

} // namespace scanloupe
