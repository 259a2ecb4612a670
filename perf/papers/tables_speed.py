"""All speed tables and figures: of the recording of one machine, one build, one grid (`perf/papers record`)."""

import re
import subprocess

from plots import Plot, Series
from recorder import COMPARISONS, PROCESSORS
from reports import MISSING, Results, markdown_table, number, percent, ratio, report_label, seconds_a_step, size_text
from tables import Context, block

OF_PAPER = {  # the papers' own schemes
    "lbm_d2q9": ("shared-memory",),
    "lbm_d3q27": ("sparse-esoteric-twist", "two-array"),
    "bgkw": ("tiles", "separate"),
    "boltzmann": ("one-way",),
    "shakhov": ("slices",),
}
PAGES = {
    "lbm_d2q9": ("Gomes 2016", "gomes_2016", "none: a comparison with serial code is its future work"),
    "lbm_d3q27": ("Geier, Schoenherr 2017", "geier_2017", "none"),
    "bgkw": ("Frezzotti et al. 2009", "frezzotti_2009",
             "two orders of magnitude: GeForce GTX 260 over one thread of a Core 2 Quad Q9300"),
    "boltzmann": ("Frezzotti et al. 2010", "frezzotti_2010",
                  "450 x: GeForce GTX 260 over one thread of a Core 2 Quad Q9300"),
    "shakhov": ("Zhu et al. 2019", "zhu_2019", "190 x: K40 over one core of a Xeon E5-2680v3"),
}
NAMES = {"one-thread": "one thread", "all-cores": "all cores", "gpu": "GPU"}
ONE, ALL, GPU = PROCESSORS


def rate(report):
    return report["total"]["updates_per_second"]


def update_seconds(report):
    return None if report is None else 1 / rate(report)


def rate_text(value):
    """Updates a second with a unit that reads well."""
    for unit, scale in (("T", 1e12), ("G", 1e9)):
        if value >= scale:
            return f"{number(value / scale, 3)} {unit}/s"
    return f"{number(value * 1e-6, 3)} M/s"


def times(slow, fast):
    """How many times as many updates a second the second of two reports makes."""
    return f"{number(rate(fast) / rate(slow), 3)} x" if slow and fast else "-"


def times_again(context, slow, fast):
    """The same, and in brackets by a second recording, where both are in it too."""
    text = times(slow, fast)
    if not slow or not fast:
        return text
    again = {row["report"]: row["second"] for row in context.results.table("one_machine_again.csv")}
    labels = [next(label for label, report in context.recording.reports.items() if report is wanted)
              for wanted in (slow, fast)]
    if not all(label in again for label in labels):
        return text
    return f"{text} ({number(again[labels[1]] / again[labels[0]], 3)} x)"


def of(context, comparison, scheme):
    """Reports of a scheme by processor."""
    found = {
        name: context.recording.report(comparison.method, scheme, name, comparison.group)
        for name in comparison.processors
    }
    return {name: report for name, report in found.items() if report}


def comparison_of(method, group="-"):
    """The comparison of this group; the main one, which has no name, by "-"."""
    return next(c for c in COMPARISONS if (c.method, c.group or "-") == (method, group))


def fastest(context, comparison):
    """(scheme, reports) with the most updates a second on the GPU, in all of the phase space."""
    found = {name: of(context, comparison, name) for name in comparison.schemes}
    found = {name: r for name, r in found.items() if GPU in r and name not in comparison.of_scheme}
    return max(found.items(), key=lambda item: rate(item[1][GPU]), default=(None, {}))


def fastest_of_each(context, comparison):
    """({processor: scheme}, {processor: report}) of the most updates a second on each kind of processor."""
    schemes, reports = {}, {}
    for scheme in comparison.schemes:
        for name, report in of(context, comparison, scheme).items():
            if scheme not in comparison.of_scheme and (name not in reports or rate(report) > rate(reports[name])):
                schemes[name], reports[name] = scheme, report
    return schemes, reports


def share_text(context, report):
    return percent(context.recording.share(report), 0) if report else "-"


def grid_text(found):
    """The grid of reports by processor, and the precision where it is not the usual one."""
    report = next(iter(found.values()))
    return size_text(report) + ("" if report["precision"] == "single" else f", {report['precision']}")


def scheme_text(method, scheme):
    return f"`{scheme}`" + (" (the paper's)" if scheme in OF_PAPER[method] else "")


def not_run(context, comparison, of_method=""):
    """Why reports of the comparison are missing, a line each."""
    lines = []
    for scheme in comparison.schemes:
        found = of(context, comparison, scheme)
        why = {}
        for name in comparison.processors:
            if name not in found:
                reason = context.recording.why(comparison.method, scheme, name, comparison.group)
                why.setdefault(reason, []).append(NAMES[name])
        lines += [f"- {of_method}`{scheme}`, {', '.join(names)}: {reason}." for reason, names in why.items()]
    return lines


def notes(lines):
    """What stands below a table of speeds."""
    return "\n\nWhat was not run, and why:\n\n" + "\n".join(lines) if lines else ""


def cells_of(context, found):
    """Cells of a table: rates, shares of copy, the GPU over one thread and over all cores, on another machine too."""
    reports = [found.get(name) for name in PROCESSORS]
    return (
        *(rate_text(rate(report)) if report else "-" for report in reports),
        " / ".join(share_text(context, report) for report in reports),
        times_again(context, reports[0], reports[2]),
        times_again(context, reports[1], reports[2]),
    )


RATES = (*NAMES.values(), "shares of copy", "GPU over one thread", "over all cores")


@block
def speed(context, method, *groups):
    """Rates of each scheme of the method's main comparison and of the named ones."""
    rows, missing = [], []
    for comparison in [comparison_of(method, group) for group in groups or ("-",)]:
        for scheme in comparison.schemes:
            found = of(context, comparison, scheme)
            if found:
                rows.append((scheme_text(method, scheme), grid_text(found), *cells_of(context, found)))
        missing += not_run(context, comparison)
    if not rows:
        return f"Speed: {MISSING}."
    return markdown_table(("scheme", "grid", *RATES), rows) + notes(missing)


@block
def speed_gpu(context, method, *groups):
    """Rates on the GPU alone."""
    rows, missing = [], []
    for comparison in [comparison_of(method, group) for group in groups]:
        for scheme in comparison.schemes:
            report = of(context, comparison, scheme).get(GPU)
            if report:
                rows.append((comparison.group, scheme_text(method, scheme), size_text(report), rate_text(rate(report)),
                             share_text(context, report)))
        missing += not_run(context, comparison)
    if not rows:
        return f"Speed: {MISSING}."
    return markdown_table(("", "scheme", "grid", "GPU", "share of copy"), rows) + notes(missing)


@block
def recorded_machine(context, method=None):
    """What the recording was made on and by."""
    reports = [r for r in context.recording.reports.values() if method in (None, r["method"])]
    if not reports:
        return f"Machine: {MISSING}."
    gpus = sorted({r["device"] for r in reports if r["backend"] != "openmp"})
    hosts = [r for r in reports if r["backend"] == "openmp"]
    cores = context.recording.manifest.get("cores", {})
    threads = max((r["threads"] for r in hosts), default=0)
    pinned = f"{threads} threads, each pinned to a core of its own"
    if cores.get("allowed", 0) > threads:
        pinned += f", of {cores['allowed']} CPUs that the system shows"
    tried = cores.get("tried", [])
    if tried:
        pinned += "; " + "; ".join(
            f"with {t['threads']} threads " + " and ".join(rate_text(r) for r in t["updates_per_second"]) for t in tried
        ) + " in a trial of `lbm_d2q9` and `boltzmann`, which decided"
    builds = sorted({f"{r['compiler']}, Kokkos {r['kokkos_version']}, commit {r['git_commit']}" for r in reports})
    copies = {}
    for report in reports:
        processor = GPU if report["backend"] != "openmp" else ONE if report["threads"] == 1 else ALL
        copies[processor] = context.recording.copy(report)
    copy = ", ".join(f"{NAMES[name]} {copies[name]:.0f} GB/s" for name in PROCESSORS if name in copies)
    second = context.results.table("one_machine_again.csv")
    brackets = "In brackets: by a recording of another commit and machine (`perf/results/one_machine_again.csv`). " if any(
        row["report"] in context.recording.reports for row in second) else ""
    calls = context.recording.manifest.get("calls", [])
    machines = len({call.get("machine") for call in calls})
    return (
        f"Recorded by {'a call' if len(calls) == 1 else f'{len(calls)} calls'} of `perf/papers record`: "
        f"{'one machine' if machines <= 1 else f'{machines} machines of one kind'} ({', '.join(sorted({r['host'] for r in reports}))}; "
        f"GPU: {', '.join(gpus) or 'none'}; host: {', '.join(sorted({r['device'] for r in hosts}))}, {pinned}), "
        f"{'one build' if len(builds) == 1 else 'builds'} ({'; '.join(builds)}). One thread is a "
        "vectorised one of the same host. A rate is by the median of at least five batches of steps (three "
        "where a step takes more than three seconds) and two seconds, "
        "after set-up, without transfers and output; single precision where nothing else is said. Shares are of the copy "
        f"bandwidth, the larger one before and after the runs ({copy}), by the bytes that the method has to move, in the "
        f"order one thread / all cores / GPU. {brackets}" + "".join(f"{note} " for note in context.recording.manifest.get("notes", []))
        + f"Reports: `perf/results/one_machine/{method or '*'}{'-*' if method else ''}.json`."
    )


def compare(options):
    """A page of `knudsen compare` for each method: the scheme that is fastest on the GPU; the number that failed."""
    context = Context(Results(options.results), None)
    options.output.mkdir(parents=True, exist_ok=True)
    failures = 0
    for method in PAGES:
        scheme, found = fastest(context, comparison_of(method))
        if len(found) < 2:
            print(f"{method}: not recorded")
            failures += 1
            continue
        files = [str(options.results / "one_machine" / f"{report_label(method, '', scheme, p)}.json") for p in found]
        page = options.output / f"{method}_cpu_gpu.html"
        done = subprocess.run([options.knudsen, "compare", *files, "--html", str(page)], capture_output=True, text=True,
                              check=False)
        failures += done.returncode != 0
        print(f"{page}: {scheme}{chr(10) if done.stderr else ''}{done.stderr.strip()}")
    return failures


# --- README ---


@block
def index_speeds(context):
    """The papers' schemes, and the fastest one of each method on each kind of processor, of one machine; the papers' own
    speedups apart."""
    rows, missing = [], []
    for method, (name, page, own) in PAGES.items():
        comparison = comparison_of(method)
        missing += not_run(context, comparison, f"`{method}`, ")
        shown = {scheme: of(context, comparison, scheme) for scheme in OF_PAPER[method]}
        for scheme, found in shown.items():
            if found:
                rows.append((f"`{method}`", f"`{scheme}`", f"[{name}](docs/papers/{page}.md)", grid_text(found),
                             *cells_of(context, found), own))
        # A scheme that suits the GPU may not suit the host, so each has its own best one.
        best, found = fastest_of_each(context, comparison)
        if found:
            schemes = " / ".join(f"`{scheme}`" for scheme in dict.fromkeys(best.values()))
            rows.append((f"`{method}`", schemes, "the fastest on each", grid_text(found), *cells_of(context, found), ""))
    if not rows:
        return f"Speed: {MISSING}."
    return markdown_table(("method", "scheme", "of", "grid", *RATES, "speedup that the paper states"), rows) + notes(missing)


# --- Parts of a step ---


def kernels_of(report, pattern):
    return [k for k in report["kernels"] if re.search(pattern, k["name"])] if report else []


def kernel_seconds(report, pattern):
    """Seconds an update in the kernels whose names have the pattern; None without any."""
    spent = [k["seconds"] for k in kernels_of(report, pattern)]
    return sum(spent) / report["total"]["updates"] if spent else None


def gain(one, gpu, pattern):
    return ratio(kernel_seconds(one, pattern), kernel_seconds(gpu, pattern))


def gain_text(value):
    return "one kernel" if value is None else f"{number(value, 3)} x"


PARTS = {"streaming": "^(stream|wall_density)$", "collision": "^(collide|sample)$"}


def streaming_share(report):
    spent = [kernel_seconds(report, pattern) for pattern in PARTS.values()]
    return spent[0] / sum(spent) if all(spent) else None


@block
def frezzotti_2009_parts(context):
    """Streaming and collision by themselves, the GPU over one thread, for the schemes of two kernels."""
    rows = []
    for group, flow in (("shock-8192", "shock wave, one dimension"), ("-", "cavity, two dimensions")):
        comparison = comparison_of("bgkw", group)
        for scheme in comparison.schemes:
            found = of(context, comparison, scheme)
            if scheme in OF_PAPER["bgkw"] and ONE in found and GPU in found:
                one, gpu = found[ONE], found[GPU]
                rows.append((flow, grid_text(found), f"`{scheme}`",
                             *(gain_text(gain(one, gpu, pattern)) for pattern in PARTS.values()), times(one, gpu),
                             percent(streaming_share(one), 0), percent(streaming_share(gpu), 0)))
    if not rows:
        return f"Parts of a step: {MISSING}."
    header = ("flow", "grid", "scheme", "streaming", "collision", "whole", "time in streaming, one thread", "GPU")
    return markdown_table(header, rows)


def over_cells(context, method, scheme, groups):
    """[(cells, one thread, GPU)] of the comparisons of a scheme on several grids."""
    found = []
    for group in groups:
        reports = of(context, comparison_of(method, group), scheme)
        if ONE in reports and GPU in reports:
            found.append((reports[GPU]["sizes"]["cells"], reports[ONE], reports[GPU]))
    return found


def gains_of(points):
    return {part: [(cells, gain(one, gpu, pattern) or float("nan")) for cells, one, gpu in points]
            for part, pattern in PARTS.items()}


SHOCKS = ("shock-512", "shock-2048", "shock-8192")


@block
def frezzotti_2009_figures(context):
    """Figures 2, 3 and 5: speedups over one thread against the cells; 4: share of time; 7: time a point."""
    separate = over_cells(context, "bgkw", "separate", SHOCKS)
    speedups = [Series(part, points, i, True, "circle") for i, (part, points) in enumerate(gains_of(separate).items())]
    speedups.append(Series("whole", [(n, rate(gpu) / rate(one)) for n, one, gpu in separate], 2, True, "square"))
    shares = [Series(name, [(n, streaming_share((one, gpu)[i])) for n, one, gpu in separate], i, True, "circle")
              for i, name in enumerate(("one thread", "GPU"))]
    spent = [Series("separate", [(n, 1e12 / rate(gpu)) for n, _, gpu in separate], 0, True, "circle")]
    return "\n\n".join(
        context.figure(f"frezzotti_2009_{name}", Plot(title, "cells", label, series, True))
        for name, title, label, series in (
            ("speedups", "Figures 2, 3 and 5: shock wave, separate, GPU over one thread", "speedup", speedups),
            ("shares", "Figure 4: share of streaming in the time, separate", "share", shares),
            ("time", "Figure 7: time a point and step on the GPU, shock wave, separate", "picoseconds", spent),
        )
    )


def gflops(report, pattern=None):
    """GFLOP/s by the paper's count: in these kernels, or of whole steps by their time."""
    if report is None:
        return None
    if pattern is None:
        flops = sum(k["flops"] * k["calls"] for k in report["kernels"])
        return 1e-9 * flops / (seconds_a_step(report) * report["total"]["steps"])
    kernels = kernels_of(report, pattern)
    seconds = sum(k["seconds"] for k in kernels)
    return 1e-9 * sum(k["flops"] * k["calls"] for k in kernels) / seconds if seconds else None


CAVITIES = ("cells-20", "cells-80", "-")


@block
def frezzotti_2010_parts(context):
    """Rates of streaming and collision, and the share of streaming: the paper's and ours, GPU."""
    of_paper = {row["name"]: row["value"] for row in context.paper("frezzotti_2010_performance")}
    comparison = comparison_of("boltzmann")
    ours = [of(context, comparison, scheme).get(GPU) for scheme in comparison.schemes]
    if not all(ours):
        return f"Parts of a step: {MISSING}."

    def row(name, theirs, values):
        return (name, theirs, *values)

    rows = [
        row("streaming, GFLOP/s", f"{of_paper['streaming_gflop_s']:g}",
            [number(v, 3) if v else "one kernel" for v in (gflops(r, PARTS["streaming"]) for r in ours)]),
        row("collision with sampling, GFLOP/s", f"{of_paper['collision_gflop_s']:g}",
            [number(v, 3) if v and kernels_of(r, PARTS["streaming"]) else "one kernel"
             for r, v in ((r, gflops(r, PARTS["collision"])) for r in ours)]),
        row("whole step, GFLOP/s", "not stated", [number(gflops(r), 3) for r in ours]),
        row("time in streaming", f"at most {percent(of_paper['largest_streaming_share'], 0)}",
            [percent(streaming_share(r), 0) if streaming_share(r) else "one kernel" for r in ours]),
        row("milliseconds a step", "not stated", [number(1e3 * seconds_a_step(r), 3) for r in ours]),
    ]
    header = ("", "paper: GTX 260", *(f"ours: {scheme_text('boltzmann', scheme)}" for scheme in comparison.schemes))
    return markdown_table(header, rows)


@block
def frezzotti_2010_sizes(context):
    """Figures 4 to 6 against the number of cells: speedups, share of streaming, GFLOP/s; the paper's scheme."""
    points = over_cells(context, "boltzmann", "one-way", CAVITIES)
    rows = [
        (cells, times(one, gpu), *(gain_text(gain(one, gpu, pattern)) for pattern in PARTS.values()),
         percent(streaming_share(gpu), 0), number(gflops(gpu), 3), number(1e3 * seconds_a_step(gpu), 3))
        for cells, one, gpu in points
    ]
    if not rows:
        return f"Sizes: {MISSING}."
    header = ("cells", "GPU over one thread", "streaming", "collision with sampling", "time in streaming, GPU",
              "GFLOP/s, GPU", "ms a step, GPU")
    series = [Series("whole", [(n, rate(gpu) / rate(one)) for n, one, gpu in points], 0, True, "circle")]
    series += [Series(part, found, 1 + i, True, "square") for i, (part, found) in enumerate(gains_of(points).items())]
    figure = context.figure(
        "frezzotti_2010_speedup", Plot("Figure 4: GPU over one thread", "cells", "speedup", series, True, True)
    )
    return f"{markdown_table(header, rows)}\n\n{figure}"


# --- Geier and Schoenherr 2017 ---


@block
def geier_box(context):
    """Full matrix against sparse nodes: the paper's two boxes, and ours on the GPU."""
    rows = [
        (f"paper: duct, {row['collision']}, {row['device']}", "128 x 128 x 128", f"{row['full_matrix_mnups']:g} M/s",
         f"{row['full_matrix_percent']:g} %", f"{row['sparse_mnups']:g} M/s", f"{row['sparse_percent']:g} %",
         f"{row['sparse_of_full_percent']:g} %")
        for row in context.paper("geier_2017_box")
    ]
    ours = 0
    for group, full, label in (
        ("duct-bgk", "two-array", "duct, bgk, two arrays"),
        ("duct-bgk", "esoteric-twist", "duct, bgk, Esoteric Twist in both"),
        ("duct-cascaded", "two-array", "duct, cascaded, two arrays"),
        ("-", "two-array", "periodic box, bgk, two arrays"),
        ("-", "esoteric-twist", "periodic box, bgk, Esoteric Twist in both"),
    ):
        comparison = comparison_of("lbm_d3q27", group)
        dense, sparse = (of(context, comparison, name).get(GPU) for name in (full, "sparse-esoteric-twist"))
        if dense and sparse:
            ours += 1
            rows.append((f"ours: {label}", size_text(sparse), rate_text(rate(dense)), share_text(context, dense),
                         rate_text(rate(sparse)), share_text(context, sparse), percent(rate(sparse) / rate(dense))))
    header = ("run", "grid", "full matrix", "share", "sparse", "share", "sparse of full")
    return markdown_table(header, rows) + ("" if ours else f"\n\nOurs: {MISSING}.")


@block
def geier_pipes(context):
    rows, rates = [], []
    for row in context.paper("geier_2017_pipes"):
        report = context.recording.report("lbm_d3q27", "sparse-esoteric-twist", GPU, f"pipes-{row['axis']}")
        rates += [rate(report)] if report else []
        why = context.recording.why("lbm_d3q27", "sparse-esoteric-twist", GPU, f"pipes-{row['axis']}")
        rows.append((row["axis"], f"{row['mnups']:g} M/s", f"{row['percent']:g} %",
                     rate_text(rate(report)) if report else why, share_text(context, report)))
    theirs = [row["mnups"] for row in context.paper("geier_2017_pipes")]
    table = markdown_table(("along", "paper", "share", "ours", "share"), rows)
    spread = f"{100 * (max(rates) / min(rates) - 1):.1f} %" if len(rates) == 3 else MISSING
    return (f"{table}\n\nFastest over slowest orientation: {100 * (max(theirs) / min(theirs) - 1):.1f} % in the paper, "
            f"{spread} here.")


@block
def geier_bed(context):
    rows = [
        (f"paper: {row['devices']}, cumulant, interpolated walls", number(row["kept_nodes"]),
         f"{row['kept_percent']:g} %", f"{row['mnups']:g} M/s", "not stated")
        for row in context.paper("geier_2017_bed")
    ]
    comparison = comparison_of("lbm_d3q27", "bed")
    for scheme in comparison.schemes:
        report = of(context, comparison, scheme).get(GPU)
        if report:
            sizes = report["sizes"]
            rows.append((f"ours: cumulant, {scheme} walls", number(sizes["stored_nodes"]),
                         percent(sizes["stored_nodes"] / sizes["nodes"]), rate_text(rate(report)),
                         share_text(context, report)))
    header = ("run", "nodes kept", "of the box", "updates", "share of copy bandwidth")
    return markdown_table(header, rows) + notes(not_run(context, comparison))


def device_memory(report):
    """Bytes that a run took on the GPU. Older reports have the decrease of its free memory."""
    memory = report.get("memory_bytes", {})
    return memory.get("peak") or memory.get("taken")


@block
def geier_memory_ours(context):
    """Bytes a stored node that the GPU's runs took."""
    rows = {}
    for report in context.recording.reports.values():
        memory = device_memory(report)
        if report["method"] == "lbm_d3q27" and memory:
            nodes = report["sizes"].get("stored_nodes") or report["sizes"]["nodes"]
            key = (report["variant"], report["precision"])
            rows[key] = max(rows.get(key, (0, 0)), (nodes, memory / nodes))
    table = [(*key, f"{nodes:.3g}", f"{size:.1f}") for key, (nodes, size) in sorted(rows.items())]
    header = ("variant", "precision", "nodes stored", "bytes a node")
    return markdown_table(header, table) if table else f"Memory of ours: {MISSING}."


# --- Zhu et al. 2019 ---


def memory_text(report):
    return f"{1e-6 * (device_memory(report) or report['memory_bytes']['stated']):.0f}"


@block
def zhu_table2(context):
    """Seconds an iteration and memory: the paper's machines, and ours by each scheme."""
    rows = []
    ours = [c for c in COMPARISONS if c.method == "shakhov"]
    for row in context.paper("zhu_2019_table2"):
        size = f"{row['cells']:g}^3 cells, {row['velocities']:g}^3 velocities"
        theirs = [f"{row[key]:g}" for key in ("one_core", "cores_96", "k40", "memory_mb")]
        found = [(c, scheme, of(context, c, scheme)) for c in ours if c.grid == size for scheme in c.schemes]
        for _, scheme, reports in [entry for entry in found if entry[2]] or [(None, MISSING, {})]:
            rows.append((size, *theirs, scheme_text("shakhov", scheme) if reports else MISSING,
                         *(number(seconds_a_step(reports[name]), 3) if name in reports else "-" for name in PROCESSORS),
                         memory_text(reports[GPU]) if GPU in reports else "-",
                         times(reports.get(ONE), reports.get(GPU)), times(reports.get(ALL), reports.get(GPU))))
            theirs = [""] * len(theirs)
    header = ("grid", "paper: one core, s", "96 cores, s", "K40, s", "its memory, MB", "ours: scheme", "one thread, s",
              "all cores, s", "GPU, s", "GPU memory, MB", "GPU over one thread", "over all cores")
    below = notes([line for c in ours for line in not_run(context, c)])
    why = "-: not run, since one thread would take minutes for an iteration, and all cores up to half a minute."
    return f"{markdown_table(header, rows)}\n\n{why}{below}"


@block
def zhu_speedup(context):
    """The paper's headline beside ours at 64^3 cells and 64^3 velocities, without a ratio of the two."""
    row = next(r for r in context.paper("zhu_2019_table2") if (r["cells"], r["velocities"]) == (64, 64))
    found = {scheme: context.recording.report("shakhov", scheme, GPU, "64-64") for scheme in ("slices", "pencils")}
    seconds = {scheme: number(seconds_a_step(report), 3) for scheme, report in found.items()}
    return (f"{row['k40']:g} s on the K40; on our GPU {seconds['slices']} s by the paper's kernels (`slices`) and "
            f"{seconds['pencils']} s by `pencils`")
