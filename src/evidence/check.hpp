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
    bool passed;          // `measure` is at most `bound`; a NaN never is
    bool decided = true;  // a check that cannot decide has not passed, and has not failed either
};

inline Decision decision(const Check& check) { return decision(check.passed, check.decided); }

Check at_most(std::string name, std::string statement, double measure, double bound);

/// Of many measures with a bound each, the one that is the largest part of its bound.
class Worst {
  public:
    /// `bound` is not negative. A NaN is worse than any number.
    void consider(double measure, double bound);

    /// Zero at most zero when nothing was considered.
    Check check(std::string name, std::string statement) const;

  private:
    double measure_ = 0;
    double bound_ = 0;
    double part_ = -1;
};

/// The larger of two errors; a NaN is larger than any, and stays.
double worse(double a, double b);

bool all_passed(const std::vector<Check>& checks);

Array array(const std::vector<Check>& checks);

}  // namespace rmsnorm::evidence
