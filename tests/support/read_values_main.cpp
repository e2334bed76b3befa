// Reads values as the program does and prints their shape and bits, for tests from outside:
//   rmsnorm_read_values [--max-elements N] [--stream BLOCK] list|@FILE|-
// Exit codes as the program's: 2 for bad input, 3 when reading fails.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/input/tensor_input.hpp"
#include "numeric/bits.hpp"

namespace {

using rmsnorm::cli::Limits;
using rmsnorm::cli::NpyStream;

void print(const rmsnorm::tensor::Tensor& values) {
    std::printf("%s\n", rmsnorm::tensor::to_text(values.shape()).c_str());
    for (const double element : values.values()) {
        std::printf("%s\n", rmsnorm::numeric::hex(element).c_str());
    }
}

// Only counts what comes in blocks, so that the memory of a run is the memory of reading.
void count(NpyStream stream, std::size_t block_size) {
    std::vector<double> block(block_size);
    std::size_t elements = 0;
    while (const std::size_t read = stream.read_block(block)) elements += read;
    std::printf("%zu\n", elements);
}

void run(std::string_view argument, const Limits& limits, std::size_t stream_block) {
    if (stream_block == 0) {
        print(rmsnorm::cli::read_tensor("--input", argument, limits));
        return;
    }
    auto opened = rmsnorm::cli::open_tensor("--input", argument, limits);
    count(std::get<NpyStream>(std::move(opened)), stream_block);
}

}  // namespace

int main(int argc, char** argv) {
    Limits limits;
    limits.empty_allowed = true;
    std::size_t stream_block = 0;
    std::string_view argument;
    for (int place = 1; place < argc; ++place) {
        const std::string_view option = argv[place];
        if (option == "--max-elements" && place + 1 < argc) {
            limits.max_elements = std::strtoul(argv[++place], nullptr, 10);
        } else if (option == "--stream" && place + 1 < argc) {
            stream_block = std::strtoul(argv[++place], nullptr, 10);
        } else if (option == "--refuse-empty") {
            limits.empty_allowed = false;
        } else {
            argument = option;
        }
    }
    try {
        run(argument, limits, stream_block);
        return 0;
    } catch (const rmsnorm::cli::InputError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    } catch (const rmsnorm::cli::IoError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
