// A check that an experiment ran on its own results.
#pragma once

#include <string>
#include <vector>

#include "evidence/record.hpp"

namespace rmsnorm::evidence {

struct Check {
    std::string name;
    std::string statement;  // what holds when it passed
    double measure;
    double bound;
    bool passed;  // `measure` is at most `bound`; a NaN never is
};

Check at_most(std::string name, std::string statement, double measure, double bound);

bool all_passed(const std::vector<Check>& checks);

Array array(const std::vector<Check>& checks);

}  // namespace rmsnorm::evidence
