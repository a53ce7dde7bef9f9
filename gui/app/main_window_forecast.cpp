// Forecasts in the window: what the parameters will make and take, and what can't fit.
#include "gui/app/main_window.h"
#include "gui/jobs/forecast_session.h"
#include "gui/panels/parameters/forecast_line.h"
#include "gui/panels/parameters/parameter_panel.h"

namespace scanloupe::gui {

void MainWindow::connectForecast() {
    m_forecasts = new ForecastSession(m_jobs.runner().backend(), this);
    ForecastLine* line = m_parameters->forecastLine();
    connect(m_forecasts, &ForecastSession::changed, this,
            [this, line] { line->showAnswer(m_forecasts->ask(withPictureSize(m_parameters->recipe()))); });
    connect(line, &ForecastLine::sizeTaken, this, [this](double size) {
        Recipe recipe = m_parameters->recipe();
        recipe.voxelSize = Vec3d{size, size, size};
        m_parameters->setRecipe(recipe);
        changeRecipe(recipe);
    });
}

Recipe MainWindow::fitting(const Recipe& recipe) {
    const ForecastSession::Answer& answer = m_forecasts->ask(recipe);
    m_parameters->forecastLine()->showAnswer(answer);
    if (answer.fits || !m_fitting) {
        m_fitting = recipe;
        return recipe;
    }
    // the views still follow the camera and their size
    Recipe last = *m_fitting;
    last.camera = recipe.camera;
    last.imageWidth = recipe.imageWidth;
    last.imageHeight = recipe.imageHeight;
    return last;
}

} // namespace scanloupe::gui
