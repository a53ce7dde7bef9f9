#pragma once
// Declares the progressive drawing of a scene under a time budget: a coarse level of detail first, the finest
// one over several frames. GUI thread only, with the context current.
#include "gui/views/scene/gl_scene.h"

#include <optional>

namespace scanloupe::gui {

/// All inputs that a picture depends on.
struct PictureRequest {
    Camera camera; ///< file's frame
    QSize size;    ///< pixels
    SceneStyle style;
    bool eyeDome = true;
    float eyeDomeStrength = 1;
    std::uint64_t generation = 0; ///< generation of the geometry
    bool operator==(const PictureRequest&) const = default;
};

/// Throughput of an operation, an exponential moving average of its measurements.
class Throughput {
public:
    explicit Throughput(double perMs) : m_perMs(perMs) {}
    double perMs() const { return m_perMs; }
    void addMeasurement(double amount, double milliseconds);

private:
    double m_perMs;
};

/// Draws pictures into offscreen framebuffers and shows them when they are finished: the last finished
/// picture stays visible until then.
class ScenePainter {
public:
    /// Time budget of one call of work(). Three views and the window's own painting share a round of the
    /// event loop.
    static constexpr double kBudgetMs = 18;

    /// @throws GlError
    void create(Gl& gl);
    void release(Gl& gl);

    /// Continues the requested picture for about the budget; true when there is a new one to show.
    bool work(Gl& gl, GlScene& scene, const PictureRequest& wanted, bool moving);
    /// False when work() has nothing left to do.
    bool hasWork(const PictureRequest& wanted, bool moving) const;
    /// True when the shown picture is the requested one at full detail.
    bool isComplete(const PictureRequest& wanted) const { return m_complete && m_shown == wanted; }
    /// Generation of the geometry in the shown picture; 0 before the first.
    std::uint64_t shownGeneration() const { return m_shown ? m_shown->generation : 0; }
    /// Blits the shown picture to a framebuffer, scaled when the sizes differ.
    void present(Gl& gl, GLuint framebuffer, QSize size);

    /// The number of a box or triangle at a pixel, and its depth along the view.
    struct Pick {
        std::uint32_t item;
        double depth; ///< metres
    };
    std::optional<Pick> pick(Gl& gl, GlScene& scene, const PictureRequest& picture, QPoint pixel);
    /// Number of boxes or triangles that are certain to be drawn within one slice.
    std::uint64_t affordable() const;

private:
    struct Target {
        GLuint framebuffer = 0, colour = 0, depth = 0;
        QSize size;
        void resize(Gl& gl, QSize pixels, bool withDepth);
        void release(Gl& gl);
    };
    /// Progress of a picture at full detail.
    struct Progress {
        PictureRequest request;
        std::vector<std::uint32_t> chunks;
        std::size_t faces = 0, edges = 0; ///< chunks drawn so far
        int rows = 0;                     ///< rows that are finished by finishRows()
    };
    void drawCoarse(Gl& gl, GlScene& scene, const PictureRequest& wanted, bool moving);
    bool continueDrawing(Gl& gl, GlScene& scene);
    std::size_t chooseLevel(const GlScene& scene, const SceneFrame& frame, bool moving);
    void clear(Gl& gl, QSize size);
    /// Draws chunks from `done` on until `untilMs` have passed; true when all are drawn.
    bool drawChunks(Gl& gl, GlScene& scene, const SceneFrame& frame, std::size_t level,
                    std::span<const std::uint32_t> chunks, ScenePass pass, std::size_t& done, double untilMs);
    /// Applies eye-dome lighting to rows [from, to), or copies them, into the hidden picture.
    void finishRows(Gl& gl, const SceneFrame& frame, const PictureRequest& request, bool eyeDome, int from,
                    int to);
    void show(const PictureRequest& request, bool complete);
    Throughput& throughputOf(std::size_t level);

    bool m_zeroToOne = false;
    std::unique_ptr<QOpenGLShaderProgram> m_finish;
    GLuint m_vertexArray = 0;
    Target m_scratch, m_pictures[2];
    int m_visible = 0; ///< index of the picture that is shown
    std::optional<PictureRequest> m_shown;
    bool m_complete = false;
    std::optional<Progress> m_progress;
    /// throughput of each level, since coarser primitives cover more pixels each
    std::vector<Throughput> m_throughputs;
    Throughput m_finishThroughput{20000}; ///< pixels
    std::size_t m_level = 0;              ///< level of the last coarse picture
    std::size_t m_firstLevel = 0; ///< finest level to try; raised when the last coarse picture took too long
    bool m_wasMoving = false;
};

} // namespace scanloupe::gui
