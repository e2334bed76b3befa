// Rows by a recipe, for tests from outside:
//   rmsnorm_recipe RECIPE INPUT-FORMAT GAIN-FORMAT OUTPUT-FORMAT EPSILON WIDTH
// Standard input has the gain and then the rows, standard output gets the rows, all as binary64 in
// the machine's byte order.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "judge/recipe.hpp"

int main(int argc, char** argv) {
    using namespace rmsnorm;
    if (argc != 7) return 2;
    const judge::Recipe* const recipe = judge::find_recipe(argv[1]);
    if (recipe == nullptr) return 2;
    const judge::TensorFormats formats = {numeric::format_named(argv[2]).value(),
                                          numeric::format_named(argv[3]).value(),
                                          numeric::format_named(argv[4]).value()};
    const double epsilon = std::strtod(argv[5], nullptr);
    const std::size_t width = std::strtoul(argv[6], nullptr, 10);
    std::vector<double> gain(width);
    std::vector<double> row(width);
    if (std::fread(gain.data(), sizeof(double), width, stdin) != width) return 2;
    while (std::fread(row.data(), sizeof(double), width, stdin) == width) {
        judge::compute_row(recipe->steps, formats, epsilon, recipe->gain_offset, row, gain, row);
        if (std::fwrite(row.data(), sizeof(double), width, stdout) != width) return 3;
    }
    return 0;
}
