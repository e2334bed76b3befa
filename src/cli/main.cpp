// The program: its words in, its exit code out.
#include "cli/run.hpp"

int main(int count, char** words) {
    return rmsnorm::cli::run(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
}
