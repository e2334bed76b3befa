// What the program's exit code means.
#pragma once

namespace rmsnorm::cli {

enum ExitCode : int {
    done = 0,          // and every check held
    check_failed = 1,  // a golden differs, a gradient check or a replay failed
    bad_input = 2,     // the command line, or what a file holds
    io_failed = 3,     // reading or writing
};

}  // namespace rmsnorm::cli
