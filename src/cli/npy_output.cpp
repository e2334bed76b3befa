#include "cli/npy_output.hpp"

#include <algorithm>
#include <string_view>

#include "cli/input/npy.hpp"
#include "cli/output.hpp"

namespace rmsnorm::cli {

bool names_npy(const std::string& path) {
    constexpr std::string_view ending = ".npy";
    return path.size() >= ending.size() &&
           std::equal(ending.rbegin(), ending.rend(), path.rbegin(), [](char wanted, char c) {
               return wanted == (c >= 'A' && c <= 'Z' ? c + 32 : c);
           });
}

void write_npy(const std::string& path, const tensor::Tensor& tensor) {
    OutputFile file(path, output_name(path));
    file.write(npy_header(tensor.shape()));
    std::string scratch;
    file.write(npy_bytes(tensor.values(), scratch));
    file.commit();
}

}  // namespace rmsnorm::cli
