// What a run that is ended by a signal takes away with it.
#pragma once

#include <string>

namespace rmsnorm::cli {

/// From now on SIGINT, SIGTERM and SIGHUP remove this one file before they end the program; an
/// empty path ends that. A signal that the program was started to ignore stays ignored.
void remove_on_interruption(const std::string& path);

}  // namespace rmsnorm::cli
