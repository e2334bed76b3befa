#include "judge/vectors/cover.hpp"

#include <algorithm>

namespace rmsnorm::judge::vectors {
namespace {

class Cover {
  public:
    Cover(const std::vector<Duty>& duties, const std::vector<std::size_t>& sizes)
        : duties_(duties),
          sizes_(sizes),
          of_test_(sizes.size()),
          promise_(sizes.size()),
          taken_(sizes.size()) {
        for (std::size_t duty = 0; duty < duties.size(); ++duty) {
            open_.push_back(duties[duty].need);
            for (const std::size_t test : duties[duty].met_by) {
                of_test_[test].push_back(duty);
                ++promise_[test];
            }
        }
    }

    void choose(std::size_t test) {
        taken_[test] = true;
        chosen_.push_back(test);
        for (const std::size_t duty : of_test_[test]) {
            if (open_[duty] == 0 || --open_[duty] > 0) continue;
            for (const std::size_t other : duties_[duty].met_by) --promise_[other];
        }
    }

    void choose_best(std::size_t most) {
        while (chosen_.size() < most) {
            const std::size_t best = best_test();
            if (best == sizes_.size()) return;
            choose(best);
        }
    }

    void leave_out_needless(std::size_t given) {
        std::vector<std::size_t> met(duties_.size());
        for (const std::size_t test : chosen_) {
            for (const std::size_t duty : of_test_[test]) ++met[duty];
        }
        for (std::size_t i = chosen_.size(); i-- > given;) {
            const std::vector<std::size_t>& duties = of_test_[chosen_[i]];
            const bool needless = std::all_of(duties.begin(), duties.end(), [&](std::size_t duty) {
                return met[duty] > duties_[duty].need;
            });
            if (!needless) continue;
            for (const std::size_t duty : duties) --met[duty];
            chosen_.erase(chosen_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    const std::vector<std::size_t>& chosen() const { return chosen_; }

  private:
    // As many as there are tests: none meets an open duty.
    std::size_t best_test() const {
        std::size_t best = sizes_.size();
        for (std::size_t test = 0; test < sizes_.size(); ++test) {
            if (taken_[test] || promise_[test] == 0) continue;
            const bool better = best == sizes_.size() || promise_[test] > promise_[best] ||
                                (promise_[test] == promise_[best] && sizes_[test] < sizes_[best]);
            if (better) best = test;
        }
        return best;
    }

    const std::vector<Duty>& duties_;
    const std::vector<std::size_t>& sizes_;
    std::vector<std::vector<std::size_t>> of_test_;  // the duties that each test meets
    std::vector<std::size_t> open_;                  // how many tests each duty still needs
    std::vector<std::size_t> promise_;               // how many open duties each test meets
    std::vector<bool> taken_;
    std::vector<std::size_t> chosen_;
};

}  // namespace

std::vector<std::size_t> cover(const std::vector<Duty>& duties,
                               const std::vector<std::size_t>& sizes, std::size_t given,
                               std::size_t most) {
    Cover all(duties, sizes);
    for (std::size_t test = 0; test < given; ++test) all.choose(test);
    all.choose_best(most);
    all.leave_out_needless(given);
    return all.chosen();
}

}  // namespace rmsnorm::judge::vectors
