// Forecasts in the window: what the parameters will make and take, and what can't fit.
#include "gui/app/main_window.h"
#include "gui/jobs/forecast_session.h"
#include "gui/panels/parameters/forecast_line.h"
#include "gui/panels/parameters/parameter_panel.h"

namespace scanloupe::gui {

void MainWindow::connectForecast() {
    m_forecasts = new ForecastSession(m_jobs.runner().backend(), this);
    ForecastLine* line = m_parameters->forecastLine();
    connect(m_forecasts, &ForecastSession::answered, this, &MainWindow::onForecast);
    connect(line, &ForecastLine::sizeTaken, this, [this](double size) {
        Recipe recipe = m_parameters->recipe();
        recipe.voxelSize = Vec3d{size, size, size};
        m_parameters->setRecipe(recipe);
        changeRecipe(recipe);
    });
}

void MainWindow::onForecast(const Recipe& recipe, const ForecastAnswer& answer) {
    m_parameters->forecastLine()->showAnswer(answer);
    if (!m_awaited)
        return; // it has run
    const Recipe wanted = *m_awaited;
    Recipe asked = recipe;
    if (!m_forecasts->isAsked()) { // else a handle has moved on, and pictures follow on its way
        asked = wanted;
        m_awaited.reset();
    }
    if (answer.fits || !m_fitting)
        m_fitting = asked;
    Recipe next = *m_fitting; // the views follow the camera and their size, whether it fits or not
    next.camera = wanted.camera;
    next.imageWidth = wanted.imageWidth;
    next.imageHeight = wanted.imageHeight;
    next.edits = wanted.edits; // which may be what makes it fit
    m_jobs.runner().setRecipe(next);
}

} // namespace scanloupe::gui
