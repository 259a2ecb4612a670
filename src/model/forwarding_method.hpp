#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/method.hpp"

namespace knudsen {

/// Passes all calls on to another method, but for those that a derived class overrides. It gives no
/// device_field, whose values a derived class might not know of.
class ForwardingMethod : public Method {
 public:
  explicit ForwardingMethod(std::unique_ptr<Method> method) : method_(std::move(method)) {}

  void initialise() override { method_->initialise(); }
  void initialise(const GivenFields& given) override { method_->initialise(given); }
  void advance(std::int64_t steps) override { method_->advance(steps); }
  void fence() override { method_->fence(); }
  KernelTimers& timers() override { return method_->timers(); }
  void remember() override { method_->remember(); }
  double monitor(const std::string& name) override { return method_->monitor(name); }
  std::optional<Divergence> find_divergence() override { return method_->find_divergence(); }
  Field field(const std::string& name) override { return method_->field(name); }
  std::optional<OwnPlanes> own_planes() const override { return method_->own_planes(); }
  void keep_averages(const AveragePlan& plan) override { method_->keep_averages(plan); }
  void add_to_averages(std::int64_t sample) override { method_->add_to_averages(sample); }
  std::vector<double> averages(std::size_t row) override { return method_->averages(row); }
  void load_averages(const CheckpointReader& checkpoint) override {
    method_->load_averages(checkpoint);
  }
  SurfaceFields surface() override { return method_->surface(); }
  std::map<std::string, std::string> results() override { return method_->results(); }
  std::vector<std::string> warnings() override { return method_->warnings(); }
  std::vector<DistributionSample> distributions() override { return method_->distributions(); }
  void save(CheckpointWriter& checkpoint) override { method_->save(checkpoint); }
  void load(const CheckpointReader& checkpoint) override { method_->load(checkpoint); }

 protected:
  Method& method() { return *method_; }

 private:
  std::unique_ptr<Method> method_;
};

}  // namespace knudsen
