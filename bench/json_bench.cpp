// What reading and writing a contact costs here and with the libraries that could have been used instead, and how many
// doubles each of them reads wrongly. The results are recorded in docs/decisions/0001-json-library.md.
#include <benchmark/benchmark.h>
#include <rapidjson/document.h>
#include <simdjson.h>

#include <array>
#include <bit>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <einmal/json.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.hpp"
#include "base/json_number.hpp"

namespace {

using namespace einmal;

/// 200 bytes, as a client would send them.
constexpr std::string_view contact =
    R"({"name":"Anna Beispiel","email":"anna@example.com","phone":"+49 30 1234567","tags":["customer",)"
    R"("news"],"address":{"street":"Am Weg 5","zip":"10115","city":"Berlin"},"custom":{"since":2019,"rate":2.5}})";
static_assert(contact.size() == 200);

/// The checks of contract P6 and P7 on top of nlohmann's own, as its SAX interface allows them.
class StrictNlohmann : public nlohmann::detail::json_sax_dom_parser<nlohmann::json> {
    using Dom = nlohmann::detail::json_sax_dom_parser<nlohmann::json>;

 public:
    explicit StrictNlohmann(nlohmann::json& into) : Dom(into, false) {}

    bool start_object(std::size_t size) {
        names_.emplace_back();
        return names_.size() <= 64 && Dom::start_object(size);
    }
    bool end_object() {
        names_.pop_back();
        return Dom::end_object();
    }
    bool key(std::string& name) { return no_nul(name) && names_.back().insert(name).second && Dom::key(name); }
    bool string(std::string& text) { return no_nul(text) && Dom::string(text); }
    bool number_float(double value, const std::string& text) {
        return json::exact_number(text).has_value() && Dom::number_float(value, text);
    }

 private:
    static bool no_nul(const std::string& text) { return text.find('\0') == std::string::npos; }

    std::vector<std::set<std::string>> names_;
};

void read_einmal(benchmark::State& state) {
    for (auto _ : state) {
        auto value = json::read(contact);
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(read_einmal);

void read_nlohmann_with_checks(benchmark::State& state) {
    for (auto _ : state) {
        nlohmann::json value;
        StrictNlohmann handler(value);
        if (!nlohmann::json::sax_parse(contact, &handler)) std::abort();
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(read_nlohmann_with_checks);

void read_simdjson_dom_unchecked(benchmark::State& state) {
    const simdjson::padded_string text(contact);
    simdjson::dom::parser parser;
    for (auto _ : state) {
        auto value = parser.parse(text);
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(read_simdjson_dom_unchecked);

/// The same tree as ours, duplicate names refused; numbers cannot be checked, since the DOM does not keep their text.
json::Value to_value(simdjson::dom::element element) {
    switch (element.type()) {
        case simdjson::dom::element_type::NULL_VALUE:
            return nullptr;
        case simdjson::dom::element_type::BOOL:
            return bool(element);
        case simdjson::dom::element_type::INT64:
            return std::int64_t(element);
        case simdjson::dom::element_type::UINT64:
            return std::uint64_t(element);
        case simdjson::dom::element_type::DOUBLE:
            return double(element);
        case simdjson::dom::element_type::STRING:
            return std::string_view(element);
        case simdjson::dom::element_type::ARRAY: {
            json::Array array;
            for (const auto item : simdjson::dom::array(element)) array.push_back(to_value(item));
            return array;
        }
        case simdjson::dom::element_type::OBJECT: {
            std::vector<json::Member> members;
            for (const auto [name, item] : simdjson::dom::object(element)) {
                members.push_back({std::string(name), to_value(item)});
            }
            json::Object object;
            if (object.assign_unsorted(std::move(members))) std::abort();
            return object;
        }
    }
    std::abort();
}

void read_simdjson_into_our_tree(benchmark::State& state) {
    simdjson::dom::parser parser;
    for (auto _ : state) {
        auto value = to_value(parser.parse(contact));  // copies the text, to pad it
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(read_simdjson_into_our_tree);

void read_boost_value_unchecked(benchmark::State& state) {
    for (auto _ : state) {
        auto value = boost::json::parse({contact.data(), contact.size()});
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(read_boost_value_unchecked);

void write_einmal(benchmark::State& state) {
    const json::Value value = *json::read(contact);
    for (auto _ : state) {
        std::string text;
        json::write(value, text);
        benchmark::DoNotOptimize(text);
    }
}
BENCHMARK(write_einmal);

void write_nlohmann(benchmark::State& state) {
    const auto value = nlohmann::json::parse(contact);
    for (auto _ : state) {
        std::string text = value.dump();
        benchmark::DoNotOptimize(text);
    }
}
BENCHMARK(write_nlohmann);

void hmac_of_contact(benchmark::State& state) {
    base::Hmac hmac(Secret{});
    for (auto _ : state) {
        auto digest = hmac.update(contact).finish();
        benchmark::DoNotOptimize(digest);
    }
}
BENCHMARK(hmac_of_contact);

void hmac_with_new_context(benchmark::State& state) {
    for (auto _ : state) {
        auto digest = base::Hmac(Secret{}).update(contact).finish();
        benchmark::DoNotOptimize(digest);
    }
}
BENCHMARK(hmac_with_new_context);

double as_double(const json::Value& value) {
    const auto convert = [](const auto& held) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(held)>>) return static_cast<double>(held);
        return std::numeric_limits<double>::quiet_NaN();
    };
    return std::visit(convert, value.storage());
}

/// Reads the shortest texts of 300,000 doubles, drawn evenly over all bit patterns, and counts the wrong ones.
template <class Read>
void count_misread(benchmark::State& state, const Read& read) {
    constexpr int count = 300'000;
    int misread = 0;
    for (auto _ : state) {
        std::mt19937_64 random(1);
        for (int i = 0; i < count; ++i) {
            double value = std::bit_cast<double>(random());
            while (!std::isfinite(value)) value = std::bit_cast<double>(random());
            std::array<char, 32> text{};
            const auto end =
                std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
            if (read(std::string(text.data(), end.ptr)) != value) ++misread;
        }
    }
    state.counters["misread"] = misread;
    state.counters["of"] = count;
}

void misread_by_einmal(benchmark::State& state) {
    count_misread(state, [](const std::string& text) { return as_double(*json::read(text)); });
}
BENCHMARK(misread_by_einmal)->Iterations(1)->Unit(benchmark::kMillisecond);

void misread_by_nlohmann(benchmark::State& state) {
    count_misread(state, [](const std::string& text) { return nlohmann::json::parse(text).get<double>(); });
}
BENCHMARK(misread_by_nlohmann)->Iterations(1)->Unit(benchmark::kMillisecond);

void misread_by_simdjson(benchmark::State& state) {
    simdjson::dom::parser parser;
    count_misread(state, [&parser](const std::string& text) { return double(parser.parse(text)); });
}
BENCHMARK(misread_by_simdjson)->Iterations(1)->Unit(benchmark::kMillisecond);

void misread_by_boost_value(benchmark::State& state) {
    count_misread(state, [](const std::string& text) { return boost::json::parse(text).to_number<double>(); });
}
BENCHMARK(misread_by_boost_value)->Iterations(1)->Unit(benchmark::kMillisecond);

template <unsigned Flags>
double read_rapidjson(const std::string& text) {
    rapidjson::Document document;
    document.Parse<Flags>(text.c_str());
    return document.GetDouble();
}

void misread_by_rapidjson(benchmark::State& state) {
    count_misread(state, read_rapidjson<rapidjson::kParseDefaultFlags>);
}
BENCHMARK(misread_by_rapidjson)->Iterations(1)->Unit(benchmark::kMillisecond);

void misread_by_rapidjson_full_precision(benchmark::State& state) {
    count_misread(state, read_rapidjson<rapidjson::kParseFullPrecisionFlag>);
}
BENCHMARK(misread_by_rapidjson_full_precision)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
