#include "http/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace einmal::http {
namespace {

using boost::beast::http::verb;
using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

const Histogram::BucketBoundaries duration_buckets{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                   0.1,    0.25,  0.5,    1,     2.5,  5,     10};
const Histogram::BucketBoundaries commit_buckets{0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                 0.025,   0.05,   0.1,   0.5,    1,     5};
const Histogram::BucketBoundaries batch_buckets{1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

constexpr std::array methods{verb::get, verb::head, verb::post, verb::patch, verb::put, verb::delete_, verb::options};
constexpr std::size_t status_classes = 6;  // by the first digit; 0 is never used

/// The place of a method among `methods`; behind them all that are none of the contract's.
std::size_t index_of(verb method) {
    return static_cast<std::size_t>(std::ranges::find(methods, method) - methods.begin());
}

std::string label_of(verb method) {
    if (index_of(method) == methods.size()) return "other";
    const auto text = boost::beast::http::to_string(method);
    return {text.data(), text.size()};
}

double in_seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

template <class Builder>
auto& family(Builder builder, const char* name, const char* help, prometheus::Registry& registry) {
    return builder.Name(name).Help(help).Register(registry);
}

/// The children of one route, each made when it is first needed and then found without a look-up by label.
struct RouteCounters {
    std::array<std::array<Counter*, status_classes>, methods.size() + 1> requests{};
    std::array<Histogram*, methods.size() + 1> durations{};
};

}  // namespace

class Metrics::Impl {
 public:
    prometheus::Registry registry;
    Family<Counter>& requests =
        family(prometheus::BuildCounter(), "einmal_http_requests_total", "Requests answered.", registry);
    Family<Histogram>& durations = family(prometheus::BuildHistogram(), "einmal_http_request_duration_seconds",
                                          "From the head of a request to its answer.", registry);
    Family<Counter>& refusals =
        family(prometheus::BuildCounter(), "einmal_http_refusals_total",
               "Refusals by the connection itself, before or instead of a whole request.", registry);
    Family<Counter>& outcomes =
        family(prometheus::BuildCounter(), "einmal_outcomes_total", "Writes by what their key made of them.", registry);
    Counter& executed = outcomes.Add({{"outcome", "executed"}});
    Counter& replayed = outcomes.Add({{"outcome", "replayed"}});
    Counter& in_progress = outcomes.Add({{"outcome", "in_progress"}});
    Counter& payload_mismatch = outcomes.Add({{"outcome", "payload_mismatch"}});
    Histogram& batch_size = family(prometheus::BuildHistogram(), "einmal_store_commit_operations",
                                   "Operations carried by one commit.", registry)
                                .Add({}, batch_buckets);
    Histogram& commit_time =
        family(prometheus::BuildHistogram(), "einmal_store_commit_duration_seconds", "From begin to durable.", registry)
            .Add({}, commit_buckets);
    Gauge& queue = family(prometheus::BuildGauge(), "einmal_store_queue_operations",
                          "Operations that wait for the writer.", registry)
                       .Add({});
    std::vector<std::pair<Gauge*, std::function<double()>>> watched;
    std::vector<RouteCounters> routes;  ///< by Route::index
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

void Metrics::watch(const std::string& name, const std::string& help, std::function<double()> read) {
    auto& gauge = prometheus::BuildGauge().Name(name).Help(help).Register(impl_->registry).Add({});
    impl_->watched.emplace_back(&gauge, std::move(read));
}

void Metrics::count_request(const Route& route, verb method, unsigned status,
                            std::chrono::steady_clock::duration took) {
    if (impl_->routes.size() <= route.index) impl_->routes.resize(route.index + 1);
    auto& counters = impl_->routes[route.index];
    const auto place = index_of(method);
    auto*& counter = counters.requests[place][std::min<std::size_t>(status / 100, status_classes - 1)];
    if (counter == nullptr)
        counter = &impl_->requests.Add(
            {{"method", label_of(method)}, {"route", route.pattern}, {"status", std::to_string(status / 100) + "xx"}});
    counter->Increment();
    auto*& duration = counters.durations[place];
    if (duration == nullptr)
        duration = &impl_->durations.Add({{"method", label_of(method)}, {"route", route.pattern}}, duration_buckets);
    duration->Observe(in_seconds(took));
}

void Metrics::count_outcome(Outcome outcome) {
    switch (outcome) {
        case Outcome::executed:
            impl_->executed.Increment();
            return;
        case Outcome::replayed:
            impl_->replayed.Increment();
            return;
        case Outcome::in_progress:
            impl_->in_progress.Increment();
            return;
        case Outcome::payload_mismatch:
            impl_->payload_mismatch.Increment();
            return;
        case Outcome::not_found:
        case Outcome::precondition_failed:
        case Outcome::precondition_required:
        case Outcome::invalid:
        case Outcome::read_only_member:
        case Outcome::conflict:
        case Outcome::unreadable:
            return;
    }
}

void Metrics::count_refusal(ProblemCode code) {
    impl_->refusals.Add({{"code", std::string(problem_entry(code).name)}}).Increment();
}

void Metrics::committed(std::size_t operations, std::chrono::nanoseconds took) {
    impl_->batch_size.Observe(static_cast<double>(operations));
    impl_->commit_time.Observe(in_seconds(took));
}

void Metrics::queued(std::size_t waiting) { impl_->queue.Set(static_cast<double>(waiting)); }

std::string Metrics::text() {
    for (const auto& [gauge, read] : impl_->watched) gauge->Set(read());
    return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace einmal::http
