#pragma once
// Declares the question whether CUDA code of an opened file may run.
#include "kernels/formula/cuda_file.h"

#include <QDialog>
#include <vector>

namespace scanloupe::gui {

/// Shows the code of files, and asks whether it may run: accepted, or rejected.
class CodeDialog : public QDialog {
    Q_OBJECT
public:
    explicit CodeDialog(const std::vector<CudaFile>& files, QWidget* parent = nullptr);
};

} // namespace scanloupe::gui
