#pragma once
// Draws a scene under a budget: a stand-in at once, all of it over several frames. GUI thread only, with the
// context current.
#include "gui/views/gl_scene.h"

#include <optional>

namespace scanloupe::gui {

/// All that a picture depends on.
struct PictureRequest {
    Camera camera; ///< file's frame
    QSize size;    ///< pixels
    SceneStyle style;
    bool eyeDome = true;
    float eyeDomeStrength = 1;
    std::uint64_t generation = 0; ///< of the geometry
    bool operator==(const PictureRequest&) const = default;
};

/// How fast something goes, learnt while it runs.
class Throughput {
public:
    explicit Throughput(double perMs) : m_perMs(perMs) {}
    double perMs() const { return m_perMs; }
    void addMeasurement(double amount, double milliseconds);

private:
    double m_perMs;
};

/// Pictures are made in an own framebuffer and shown when whole: an unfinished one is never seen, the last
/// stays until then.
class ScenePainter {
public:
    /// What one call of work() may take. Three views and the window's own painting share a turn of the event
    /// loop.
    static constexpr double kBudgetMs = 18;

    /// @throws GlError
    void create(Gl& gl);
    void release(Gl& gl);

    /// Goes on with the picture that is wanted, for about the budget; true when there is a new one to show.
    bool work(Gl& gl, GlScene& scene, const PictureRequest& wanted, bool moving);
    /// False when work() has nothing left to do.
    bool hasWork(const PictureRequest& wanted, bool moving) const;
    /// True when the shown picture is the wanted one and nothing of it is simplified.
    bool isComplete(const PictureRequest& wanted) const { return m_complete && m_shown == wanted; }
    /// Of the geometry in the shown picture; 0 before the first.
    std::uint64_t shownGeneration() const { return m_shown ? m_shown->generation : 0; }
    /// Copies the shown picture to a framebuffer, stretched when the sizes differ.
    void present(Gl& gl, GLuint framebuffer, QSize size);

    /// The number of a box or triangle at a pixel, and how far away along the view it was hit.
    struct Pick {
        std::uint32_t item;
        double depth; ///< metres
    };
    std::optional<Pick> pick(Gl& gl, GlScene& scene, const PictureRequest& picture, QPoint pixel);
    /// Boxes or triangles that are surely drawn in one turn.
    std::uint64_t affordable() const;

private:
    struct Target {
        GLuint framebuffer = 0, colour = 0, depth = 0;
        QSize size;
        void resize(Gl& gl, QSize pixels, bool withDepth);
        void release(Gl& gl);
    };
    /// A whole picture on its way.
    struct Progress {
        PictureRequest request;
        std::vector<std::uint32_t> chunks;
        std::size_t faces = 0, edges = 0; ///< chunks that are done
        int rows = 0;                     ///< rows of the finishing pass that are done
    };
    void drawCoarse(Gl& gl, GlScene& scene, const PictureRequest& wanted, bool moving);
    bool continueDrawing(Gl& gl, GlScene& scene);
    std::size_t chooseLevel(const GlScene& scene, const SceneFrame& frame, bool moving);
    void clear(Gl& gl, QSize size);
    /// Draws chunks from `done` on until the time is over; true when all are drawn.
    bool drawChunks(Gl& gl, GlScene& scene, const SceneFrame& frame, std::size_t level,
                    std::span<const std::uint32_t> chunks, ScenePass pass, std::size_t& done, double untilMs);
    /// Finishes rows [from, to) of the picture in the hidden target.
    void finishRows(Gl& gl, const SceneFrame& frame, const PictureRequest& request, bool eyeDome, int from,
                    int to);
    void show(const PictureRequest& request, bool complete);
    Throughput& throughputOf(std::size_t level);

    bool m_zeroToOne = false;
    std::unique_ptr<QOpenGLShaderProgram> m_finish;
    GLuint m_vertexArray = 0;
    Target m_scratch, m_pictures[2];
    int m_visible = 0; ///< which of the pictures is shown
    std::optional<PictureRequest> m_shown;
    bool m_complete = false;
    std::optional<Progress> m_progress;
    std::vector<Throughput> m_throughputs; ///< a level: coarser things cover more pixels each
    Throughput m_finishThroughput{20000};  ///< pixels
    std::size_t m_level = 0;               ///< of the last stand-in
    std::size_t m_firstLevel = 0;          ///< the last stand-in at finer levels took too long
    bool m_wasMoving = false;
};

} // namespace scanloupe::gui
