// Returns the names of CUDA files for messages.
#include "kernels/formula/cuda_file.h"

namespace scanloupe {

std::string CudaFile::name() const {
    std::string name = file.substr(file.find_last_of('/') + 1);
    for (char& letter : name)
        if (letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < ' ')
            letter = '_';
    return name.empty() ? "file.cu" : name;
}

} // namespace scanloupe
