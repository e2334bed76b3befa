#include "cli/npy_output.hpp"

#include "cli/output.hpp"
#include "cli/values/npy.hpp"

namespace rmsnorm::cli {

bool names_npy(const std::string& path) { return path.ends_with(".npy"); }

void write_npy(const std::string& path, const tensor::Tensor& tensor) {
    OutputFile file(path);
    file.write(npy_header(tensor.shape()));
    std::string scratch;
    file.write(npy_bytes(tensor.values(), scratch));
    file.commit();
}

}  // namespace rmsnorm::cli
