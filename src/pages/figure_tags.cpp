#include "pages/figure_tags.hpp"

#include <algorithm>

#include "pages/strip.hpp"

namespace rmsnorm::pages {

AlignedColumns::Widths AlignedColumns::Widths::of(const Place& place) {
    const auto read = place.lookup->reading(place.path);
    const std::string number = read ? read->digits : place.lookup->words(place.path);
    // Without digits there is the ten of a power.
    const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    return {number.empty() ? 2 : digits, read && !read->sign.empty()};
}

std::string AlignedColumns::before(const Place& place, const std::string& column) {
    auto [found, fresh] = widths_.try_emplace(place.lookup->block() + " " + column);
    Widths& all = found->second;
    if (fresh) {
        for (const std::string& one : place.lookup->column(column)) {
            if (!place.lookup->has(one)) continue;
            const Widths own = Widths::of({place.lookup, one});
            all = {std::max(all.digits, own.digits), all.negative || own.negative};
        }
    }
    const Widths own = Widths::of(place);
    std::string text;
    // A figure space is as wide as a digit, and the sign's place as the sign.
    for (std::size_t i = own.digits; i < all.digits; ++i) text += "\xe2\x80\x87";
    if (all.negative && !own.negative) {
        text += "<span class=\"sign\" aria-hidden=\"true\">\xe2\x88\x92</span>";
    }
    return text;
}

BarScale scale_of(const std::vector<Place>& places) {
    BarScale bars;
    for (const auto& [lookup, path] : places) {
        if (!lookup->is_tensor(path)) {
            bars.include(lookup->value(path));
            continue;
        }
        for (const double value : lookup->tensor(path).values()) bars.include(value);
    }
    return bars;
}

std::string strip_of(const Place& place) {
    const auto value = [&](const std::string& key) {
        return place.lookup->value(place.path + "/" + key);
    };
    Strip scales{
        value("exact") - value("bound_below"), value("exact") + value("bound_above"), 1, 0, {}};
    if (place.lookup->has(place.path + "/low")) {
        scales.low = value("low");
        scales.high = value("high");
    }
    for (const std::string& path : place.lookup->column(place.path + "/candidates/*/scale")) {
        scales.candidates.push_back(place.lookup->value(path));
    }
    return strip(scales);
}

}  // namespace rmsnorm::pages
