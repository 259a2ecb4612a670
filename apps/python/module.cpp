// The part of the Python package that calls the library. The classes that users see are written in
// Python and call these functions; paths are bytes, since they need not be UTF-8.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <csignal>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dlpack.hpp"
#include "methods/registry.hpp"
#include "process.hpp"
#include "run/run.hpp"
#include "run/stepped_case.hpp"
#include "run/summary.hpp"
#include "version.hpp"

namespace py = pybind11;

namespace knudsen::python {
namespace {

/// Calls halt_if_ending at the end of a scope.
class HaltIfEnding {
 public:
  HaltIfEnding() = default;
  ~HaltIfEnding() { halt_if_ending(); }
  HaltIfEnding(const HaltIfEnding&) = delete;
  HaltIfEnding& operator=(const HaltIfEnding&) = delete;
};

/// Calls work() without Python's lock, so that other Python threads run meanwhile. What the
/// standard library or Kokkos throw becomes a RunError with the text that the program prints.
template <class Work>
auto unlocked(const Work& work) {
  const CallInProgress in_progress;
  const py::gil_scoped_release release;
  const HaltIfEnding before_the_lock;
  try {
    return work();
  } catch (const InputError&) {
    throw;
  } catch (const RunError&) {
    throw;
  } catch (const std::exception& error) {
    throw RunError(error_text(error));
  }
}

/// Text for Python, whose strings are Unicode.
std::string text_of(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A case that has been read and checked.
struct Case {
  CaseDocument document;
  ResolvedCase estimate;
};

std::unique_ptr<Case> check_case(CaseDocument document) {
  ResolvedCase estimate = estimate_case(document, method_registry());
  return std::make_unique<Case>(Case{std::move(document), std::move(estimate)});
}

std::unique_ptr<Case> case_from_file(const std::string& file,
                                     const std::vector<std::string>& overrides) {
  enter();
  return unlocked([&] { return check_case(CaseDocument::from_file(file, overrides)); });
}

std::unique_ptr<Case> case_from_text(const std::string& text, const std::string& name,
                                     const std::string& directory,
                                     const std::vector<std::string>& overrides) {
  enter();
  return unlocked(
      [&] { return check_case(CaseDocument::from_text(text, name, directory, overrides)); });
}

/// What `knudsen validate` states, as JSON and as text.
py::tuple validate(const Case& given, const std::string& backend_name) {
  enter();
  const Backend backend = parse_backend(backend_name);
  const BackendInfo info = backend_info(backend);
  require_memory(given.estimate, backend);
  return py::make_tuple(text_of(case_json(given.estimate, info, backend)),
                        py::bytes(case_summary(given.estimate, info, backend_info(Backend::host))));
}

std::vector<py::ssize_t> shape_of_field(const Quantity& quantity, const CartesianGrid& grid) {
  std::vector<py::ssize_t> shape{grid.cells[2], grid.cells[1], grid.cells[0]};
  if (quantity.components > 1) shape.push_back(quantity.components);
  return shape;
}

/// An array that owns the values of a field on the host.
py::array array_of(DeviceField field, const CartesianGrid& grid) {
  return std::visit(
      [&](auto& values) -> py::array {
        using Value = typename std::decay_t<decltype(values)>::element_type;
        auto owned = std::make_unique<std::shared_ptr<void>>(values);
        const py::capsule owner(
            owned.get(), [](void* each) { delete static_cast<std::shared_ptr<void>*>(each); });
        static_cast<void>(owned.release());  // the capsule deletes it
        return py::array_t<Value>(shape_of_field(field.quantity, grid), values.get(), owner);
      },
      field.values);
}

py::dict dict_of(const ProgressState& state) {
  py::dict each;
  each["step"] = state.step;
  each["last_step"] = state.last_step;
  each["updates_per_second"] = state.updates_per_second;
  each["seconds_left"] =
      state.seconds_left < 0 ? py::object(py::none()) : py::float_(state.seconds_left);
  each["residual"] = state.residual;
  each["text"] = progress_text(state);
  return each;
}

py::dict dict_of(const ResolvedCase& resolved, const RunResult& result) {
  py::list files;
  for (const auto& file : result.files) files.append(py::bytes(file.string()));
  py::list warnings;
  for (const std::string& each : result.report.warnings) warnings.append(one_line(each));
  py::dict each;
  each["step"] = result.step;
  each["stopped_by"] = result.stopped_by;
  each["converged"] = py::cast(result.report.converged);
  each["directory"] = py::bytes(result.directory.string());
  each["checkpoint"] =
      result.checkpoint ? py::object(py::bytes(result.checkpoint->string())) : py::none();
  each["files"] = files;
  each["warnings"] = warnings;
  each["summary"] = py::bytes(run_summary(resolved, result));
  return each;
}

/// Runs a case as the program does. A signal stops it with a checkpoint; Python's handler of the
/// signal is called afterwards. What `watch` raises, too, is raised after the checkpoint.
py::dict run(const Case& given, const std::string& backend,
             const std::optional<std::string>& output, const std::optional<std::string>& restart,
             bool bandwidth, bool require_convergence, const py::object& watch) {
  enter();
  RunOptions options;
  options.backend = parse_backend(backend);
  if (output && output->empty()) throw InputError("output: is empty, must name a directory");
  if (restart && restart->empty()) {
    throw InputError("restart: is empty, must name a checkpoint or a directory with checkpoints");
  }
  if (output) options.output_directory = *output;
  if (restart) options.restart = *restart;
  options.quiet = true;
  options.measure_bandwidth = bandwidth;
  options.require_convergence = require_convergence;
  std::exception_ptr failure;
  options.watch = [&](const ProgressState& state) {
    halt_if_ending();
    if (!watch.is_none()) {
      const py::gil_scoped_acquire acquire;
      try {
        return watch(dict_of(state)).cast<bool>();
      } catch (...) {
        failure = std::current_exception();
        return true;
      }
    }
    return false;
  };
  std::optional<ResolvedCase> resolved;
  RunResult result;
  int received = 0;
  {
    const CallInProgress in_progress;
    const StopSignal signal;
    try {
      unlocked([&] {
        resolved = resolve_case_in_memory(given.document, method_registry(), options.backend);
        result = run_case(*resolved, options, signal);
      });
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
    received = signal.received();
  }
  if (received != 0) {
    std::raise(received);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  if (failure) std::rethrow_exception(failure);
  if (exit_code(options, result) == 1) {
    throw RunError(result.report.warnings.empty() ? "the run failed"
                                                  : join(result.report.warnings, "; "));
  }
  return dict_of(*resolved, result);
}

std::unique_ptr<OpenSimulation> make_simulation(const Case& given,
                                                const std::string& backend_name) {
  enter();
  const Backend backend = parse_backend(backend_name);
  return std::make_unique<OpenSimulation>(unlocked([&] {
    return std::make_unique<SteppedCase>(
        resolve_case_in_memory(given.document, method_registry(), backend), backend);
  }));
}

void advance(OpenSimulation& simulation, std::int64_t steps, bool changes) {
  SteppedCase& stepped = simulation.get();
  bool raised = false;
  const auto interrupted = [&] {
    halt_if_ending();
    const py::gil_scoped_acquire acquire;
    raised = PyErr_CheckSignals() != 0;
    return raised;
  };
  unlocked([&] { stepped.advance(steps, changes, interrupted); });
  if (raised) throw py::error_already_set();
}

/// Shape of the array of a field; empty for another name.
py::tuple shape_of(OpenSimulation& simulation, const std::string& name) {
  const Problem& problem = *simulation.get().resolved().problem;
  for (const Quantity& each : problem.fields) {
    if (each.name == name) return py::tuple(py::cast(shape_of_field(each, problem.grid)));
  }
  return py::tuple();
}

/// `fields`: arrays of doubles in C order, by name.
void set_fields(OpenSimulation& simulation,
                const std::map<std::string, py::array_t<double, py::array::c_style>>& fields) {
  SteppedCase& stepped = simulation.get();
  std::map<std::string, std::vector<double>> values;
  for (const auto& [name, array] : fields) {
    values[name].assign(array.data(), array.data() + array.size());
  }
  unlocked([&] { stepped.set_fields(values); });
}

py::array field(OpenSimulation& simulation, const std::string& name) {
  SteppedCase& stepped = simulation.get();
  return array_of(unlocked([&] { return stepped.field_in(Backend::host, name); }),
                  stepped.resolved().problem->grid);
}

/// The field where the simulation is.
FieldArray field_on_device(OpenSimulation& simulation, const std::string& name) {
  SteppedCase& stepped = simulation.get();
  DeviceField field = unlocked([&] { return stepped.field_in(stepped.backend(), name); });
  auto shape = shape_of_field(field.quantity, stepped.resolved().problem->grid);
  return {std::move(field), std::move(shape), gpu_number(stepped.backend())};
}

/// Makes an exception class of the package that is also one of Python's.
py::object make_error(const py::module_& module, const char* name, const char* documentation,
                      const py::handle& base, PyObject* python_base) {
  // Of one type, py::tuple: later versions of pybind11 return another one for each number of
  // elements.
  const py::tuple bases = base ? py::tuple(py::make_tuple(base, py::handle(python_base)))
                               : py::tuple(py::make_tuple(py::handle(python_base)));
  const std::string full_name = std::string("knudsen.") + name;
  auto error = py::reinterpret_steal<py::object>(
      PyErr_NewExceptionWithDoc(full_name.c_str(), documentation, bases.ptr(), nullptr));
  if (!error) throw py::error_already_set();
  module.attr(name) = error;
  return error;
}

}  // namespace

PYBIND11_MODULE(_knudsen, module) {
  const py::object base =
      make_error(module, "Error", "What all errors of this package are.", {}, PyExc_Exception);
  // Never released, like the classes of Python itself.
  static const py::handle input_error =
      make_error(module, "InputError",
                 "The input is wrong: a case, an argument or a file. The program ends with exit "
                 "code 2 and the same text.",
                 base, PyExc_ValueError)
          .release();
  static const py::handle run_error =
      make_error(module, "RunError",
                 "A run failed, because it diverged or a file cannot be written. The program ends "
                 "with exit code 1 and the same text.",
                 base, PyExc_RuntimeError)
          .release();
  static const py::handle usage_error =
      make_error(
          module, "UsageError",
          "The call is not possible now: after close, in another thread, or within another call.",
          base, PyExc_RuntimeError)
          .release();
  py::register_exception_translator([](std::exception_ptr thrown) {
    const auto raise = [](const py::handle& kind, const std::exception& error) {
      PyErr_SetString(kind.ptr(), one_line(error.what()).c_str());
    };
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const InputError& error) {
      raise(input_error, error);
    } catch (const RunError& error) {
      raise(run_error, error);
    } catch (const UsageError& error) {
      raise(usage_error, error);
    }
  });

  module.attr("version") = KNUDSEN_VERSION;
  module.attr("git_commit") = git_commit();
  module.def("start", &start, py::arg("threads"), py::arg("gpu") = py::none());
  module.def("schema", [] {
    return text_of(describe_schema(case_reader(method_registry()), "Knudsen case"));
  });

  py::class_<Case>(module, "Case")
      .def_static("from_file", &case_from_file)
      .def_static("from_text", &case_from_text)
      .def_property_readonly("name",
                             [](const Case& each) { return py::bytes(each.document.name()); })
      .def_property_readonly("json", [](const Case& each) { return text_of(each.document.json()); })
      .def_property_readonly("digest", [](const Case& each) { return each.estimate.digest; })
      .def_property_readonly("warnings",
                             [](const Case& each) {
                               py::list texts;
                               for (const std::string& text : each.estimate.problem->warnings) {
                                 texts.append(one_line(text));
                               }
                               return texts;
                             })
      .def_property_readonly("output_directory",
                             [](const Case& each) {
                               return py::bytes(each.estimate.settings.output.directory.string());
                             })
      .def("validate", &validate)
      .def("run", &run)
      .def("simulation", &make_simulation);

  py::class_<OpenSimulation>(module, "Simulation")
      .def_property_readonly("is_open", &OpenSimulation::is_open)
      .def_property_readonly("step", [](OpenSimulation& each) { return each.get().step(); })
      .def_property_readonly("field_names",
                             [](OpenSimulation& each) {
                               std::vector<std::string> names;
                               for (const Quantity& one : each.get().resolved().problem->fields) {
                                 names.push_back(one.name);
                               }
                               return names;
                             })
      .def("advance", &advance)
      .def("field", &field)
      .def("field_on_device", &field_on_device)
      .def("set_fields", &set_fields)
      .def_property_readonly(
          "given_fields",
          [](OpenSimulation& each) { return each.get().resolved().problem->given_fields; })
      .def("shape_of", &shape_of)
      .def("monitor",
           [](OpenSimulation& each, const std::string& name) {
             SteppedCase& stepped = each.get();
             return unlocked([&] { return stepped.monitor(name); });
           })
      .def("results",
           [](OpenSimulation& each) {
             SteppedCase& stepped = each.get();
             return unlocked([&] { return stepped.results(); });
           })
      .def("save",
           [](OpenSimulation& each, const std::string& file) {
             SteppedCase& stepped = each.get();
             unlocked([&] { stepped.save(file); });
           })
      .def("load",
           [](OpenSimulation& each, const std::string& file) {
             SteppedCase& stepped = each.get();
             unlocked([&] { stepped.load(file); });
           })
      .def("close", [](OpenSimulation& each) {
        if (each.is_open()) each.get();  // in the thread to which it belongs
        each.close();
      });

  py::class_<FieldArray>(
      module, "FieldArray",
      "A field where the simulation is: on its GPU or on the host.\n\n"
      "Other libraries take it without a copy, by the protocol DLPack:\n"
      "cupy.from_dlpack(array), torch.from_dlpack(array), and on the host\n"
      "numpy.from_dlpack(array). Its memory is its own: later steps do not change\n"
      "it, and it remains after the simulation is closed.")
      .def_property_readonly(
          "shape", [](const FieldArray& each) { return py::tuple(py::cast(each.shape())); },
          "(nz, ny, nx), or (nz, ny, nx, components) with several components.")
      .def_property_readonly("dtype", &FieldArray::type, "\"float32\" or \"float64\".")
      .def_property_readonly("device", &FieldArray::device, "\"cpu\", or \"cuda:0\" and so on.")
      .def("__dlpack_device__", &FieldArray::dlpack_device)
      .def(
          "__dlpack__",
          [](const FieldArray& each, const py::object& stream, const py::object&,
             const py::object& dl_device,
             const py::object& copy) { return each.dlpack(stream, dl_device, copy); },
          py::kw_only(), py::arg("stream") = py::none(), py::arg("max_version") = py::none(),
          py::arg("dl_device") = py::none(), py::arg("copy") = py::none())
      .def("__repr__", [](const FieldArray& each) {
        return "<knudsen.FieldArray of shape " +
               std::string(py::str(py::tuple(py::cast(each.shape())))) + " and " + each.type() +
               " on " + each.device() + ">";
      });

  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    {
      const py::gil_scoped_release release;
      begin_end();
    }
    shut_down();
  }));
}

}  // namespace knudsen::python
