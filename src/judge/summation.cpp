#include "judge/summation.hpp"

#include <utility>

namespace rmsnorm::judge {
namespace {

using numeric::NumberFormat;

double tree_sum(NumberFormat format, std::vector<double> values) {
    while (values.size() > 1) {
        const std::size_t half = (values.size() + 1) / 2;
        for (std::size_t i = 0; i + half < values.size(); ++i) {
            values[i] = numeric::round_to(format, values[i] + values[i + half]);
        }
        values.resize(half);
    }
    return values.empty() ? 0 : values[0];
}

double neighbor_sum(NumberFormat format, std::vector<double> values) {
    while (values.size() > 1) {
        const std::size_t pairs = values.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i) {
            values[i] = numeric::round_to(format, values[2 * i] + values[2 * i + 1]);
        }
        if (values.size() % 2 == 1) values[pairs] = values.back();
        values.resize((values.size() + 1) / 2);
    }
    return values.empty() ? 0 : values[0];
}

double halves_sum(NumberFormat format, std::span<const double> values) {
    if (values.size() == 1) return values[0];
    const std::size_t half = values.size() / 2;
    return numeric::round_to(
        format, halves_sum(format, values.first(half)) + halves_sum(format, values.subspan(half)));
}

}  // namespace

std::vector<SummationOrder> usual_orders() {
    std::vector<SummationOrder> all = {{1, Join::ascending, false, "one running sum"}};
    for (std::size_t lanes = 2; lanes <= 256; lanes *= 2) {
        for (const Join join : {Join::ascending, Join::tree}) {
            all.push_back({lanes, join, false, std::to_string(lanes) + " running sums"});
        }
    }
    all.push_back({4, Join::ascending, false, "4 running sums, the rest in the first", true});
    all.push_back({0, Join::tree, false, "pairs of neighbors"});
    all.push_back({0, Join::ascending, true, "halves"});
    return all;
}

double rounded_mean(std::span<const double> input, NumberFormat format, const SummationOrder& order,
                    bool rounds_squares) {
    std::vector<double> squares(input.size());
    for (std::size_t i = 0; i < squares.size(); ++i) {
        squares[i] = input[i] * input[i];
        if (rounds_squares) squares[i] = numeric::round_to(format, squares[i]);
    }
    double total = 0;
    if (order.halves) {
        for (double& square : squares) square = numeric::round_to(format, square);
        total = halves_sum(format, squares);
    } else if (order.lanes == 0) {
        for (double& square : squares) square = numeric::round_to(format, square);
        total = neighbor_sum(format, squares);
    } else {
        std::vector<double> sums(order.lanes, 0.0);
        for (std::size_t i = 0; i < squares.size(); ++i) {
            const bool rest =
                order.rest_first && i >= squares.size() - squares.size() % order.lanes;
            double& sum = sums[rest ? 0 : i % order.lanes];
            sum = numeric::round_to(format, sum + squares[i]);
        }
        if (order.join == Join::tree) {
            total = tree_sum(format, std::move(sums));
        } else {
            for (const double sum : sums) total = numeric::round_to(format, total + sum);
        }
    }
    return total / static_cast<double>(squares.size());
}

}  // namespace rmsnorm::judge
