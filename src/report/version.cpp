#include "report/version.hpp"

namespace rmsnorm::report {

std::string_view program_version() { return RMSNORM_VERSION; }

}  // namespace rmsnorm::report
