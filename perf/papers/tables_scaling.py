"""Rates on several GPUs, from `perf/papers scaling`, and what a model says of more of them."""

import json

from plots import Plot, Series
from reports import MISSING, machine_text, markdown_table, percent, size_text
from scaling import CASES, FOLDER
from tables import block

# Between nodes, assumed: what an MPI that knows GPUs reaches over a port of 200 Gbit/s a GPU.
NETWORK_BYTES_PER_SECOND = 22e9
NETWORK_SECONDS = 12e-6  # of an exchange of small messages
GPUS_OF_A_NODE = 8
COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)


def reports_of(context, folder="."):
    found = {}
    for path in sorted((context.results.root / FOLDER / folder).glob("*.json")):
        found[path.stem] = json.loads(path.read_text(encoding="utf-8"))
    return found


def seconds_of(report):
    return report["total"]["seconds"] / report["total"]["steps"]


def rate_of(report):
    return report["total"]["updates_per_second"]


def efficiency(reports, case, kind, ranks, transport="auto"):
    """The rate of so many ranks over so many times that of one; None if a run is missing."""
    alone = reports.get(case.label(kind, 1, "auto"))
    many = reports.get(case.label(kind, ranks, transport))
    return rate_of(many) / ranks / rate_of(alone) if alone and many else None


def measured_counts(reports):
    """Numbers of GPUs above one that were measured."""
    most = max((report.get("ranks", 1) for report in reports.values()), default=1)
    return [ranks for ranks in COUNTS if 1 < ranks <= most]


@block
def scaling_rates(context, folder="."):
    """Each case on one GPU and on several, of the reports in a folder."""
    reports = reports_of(context, folder)
    counts = measured_counts(reports)
    head = ["case, size of all (strong) or of each (weak)", "one GPU, M/s"]
    head += [f"{kind}, {ranks} GPUs" for kind in ("weak", "strong") for ranks in counts] + ["MB sent in a step"]
    rows = []
    for case in CASES:
        alone = reports.get(case.label("", 1, "auto"))
        if alone is None:
            continue
        cells = [percent(efficiency(reports, case, kind, ranks)) if kind in case.kinds else "-"
                 for kind in ("weak", "strong") for ranks in counts]
        sent = [bytes_of(reports[case.label(kind, 2, "auto")]) for kind in case.kinds
                if case.label(kind, 2, "auto") in reports]
        rows.append((f"`{case.method}`, {size_text(alone)}", f"{rate_of(alone) / 1e6:,.0f}", *cells,
                     f"{sent[0] * 1e-6:.2f}" if sent else MISSING))
    machines = sorted({machine_text({**report, "ranks": 1}) for report in reports.values()})
    return markdown_table(head, rows) + "\n\nMachine: " + "; ".join(machines) + "."


def bytes_of(report):
    """Bytes that a rank sends in a step."""
    return report["rank_timings"][0]["bytes"] / report["total"]["steps"]


@block
def scaling_by_host(context, folder="."):
    """The same through the host's memory."""
    reports = reports_of(context, folder)
    rows = []
    for case in CASES:
        for kind in case.kinds:
            for ranks in measured_counts(reports):
                found = efficiency(reports, case, kind, ranks, "host")
                if found is not None:
                    alone = reports[case.label(kind, 1, "auto")]
                    rows.append((f"`{case.method}`, {size_text(alone)}", kind, ranks,
                                 percent(efficiency(reports, case, kind, ranks)), percent(found)))
    return markdown_table(("case", "", "GPUs", "GPU to GPU", "through memory of the host"), rows)


@block
def scaling_beside(context):
    """Rates and efficiencies of a strong case by when and how values are exchanged."""
    rows = context.results.table(f"{FOLDER}/side_threads_h200.csv")
    alone = reports_of(context, "h200").get("lbm_d3q27-dense-512-1")
    if not rows or alone is None:
        return MISSING
    rates = [[row[key] for key in ("million updates a second", "again") if row[key]] for row in rows]
    return markdown_table(
        ("way", "exchange", "10^6 updates/s", "efficiency"),
        [(row["way"], row["exchange"], ", ".join(f"{rate:,.0f}" for rate in both),
          percent(both[0] * 1e6 / 4 / rate_of(alone))) for row, both in zip(rows, rates)],
    )


@block
def exchange_times(context):
    """Times of exchanges alone."""
    rows = context.results.table(f"{FOLDER}/exchange.csv")
    return markdown_table(
        ("way", "bytes to each of two neighbours", "us an exchange", "GB/s sent by a GPU"),
        [(row["way"], f"{row['bytes']:.0f}", f"{row['microseconds']:.1f}", f"{row['gb_s']:.1f}") for row in rows],
    ) if rows else MISSING


def constants(context):
    """(seconds of a small exchange, bytes a second) between GPUs of a node, as measured."""
    rows = [row for row in context.results.table(f"{FOLDER}/exchange.csv") if row["way"] == "peer memory"]
    if not rows:
        return None
    small, large = min(rows, key=lambda r: r["microseconds"]), max(rows, key=lambda r: r["gb_s"])
    return small["microseconds"] * 1e-6, large["gb_s"] * 1e9


def predicted(context, reports, case, kind, ranks):
    """The efficiency that the model says; None where a rank would have less than a layer, or nothing is recorded."""
    alone, two = (reports.get(case.label(kind, n, "auto")) for n in (1, 2))
    found = constants(context)
    layers = case.size[-1] if case.method != "shakhov" else case.velocities ** (1 / 3)
    if alone is None or two is None or found is None or (kind == "strong" and ranks > layers):
        return None
    latency, speed = found
    if ranks > GPUS_OF_A_NODE:
        latency, speed = latency + NETWORK_SECONDS, NETWORK_BYTES_PER_SECOND
    sent = bytes_of(two)
    if case.method == "shakhov":  # pieces to all others, and totals back
        sent *= 2 * (ranks - 1) / ranks
        latency *= 1 + 0.1 * (ranks - 2)
    exchange = latency + sent / speed if ranks > 1 else 0
    if kind == "weak":
        return seconds_of(alone) / (seconds_of(alone) + exchange)
    work = seconds_of(alone) / ranks
    return work / (work + exchange)


@block
def scaling_model(context):
    """The model beside what was measured, and a figure of what it says of more GPUs."""
    reports = reports_of(context)
    counts = measured_counts(reports)
    rows, series = [], []
    for case in CASES:
        for kind in case.kinds:
            if predicted(context, reports, case, kind, 2) is None:
                continue
            cells = [percent(value) for ranks in counts for value in (efficiency(reports, case, kind, ranks),
                                                                      predicted(context, reports, case, kind, ranks))]
            rows.append((f"`{case.method}` {case.name}", kind, *cells))
            points = [(n, predicted(context, reports, case, kind, n)) for n in COUNTS]
            series.append(Series(f"{case.method} {case.name}, {kind}", [(n, 100 * e) for n, e in points if e],
                                 len(series) % 8, dashed=kind == "strong"))
    if not rows:
        return MISSING
    figure = context.figure("scaling_model", Plot("Efficiency that the model says", "GPUs", "efficiency in %", series,
                                                  x_log=True, y_range=(0, 100)))
    head = [f"{what}, {ranks} GPUs" for ranks in counts for what in ("measured", "model")]
    return f"{markdown_table(('case', '', *head), rows)}\n\n{figure}"


@block
def scaling_at_scale(context):
    """Runs that are as large, or as long, as those that several GPUs are there for."""
    rows = []
    for path in sorted((context.results.root / FOLDER / "at_scale").glob("*.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        total, memory = report["total"], report["memory_bytes"]
        rows.append((f"`{report['method']}`, {size_text(report)}", report.get("ranks", 1), total["steps"],
                     f"{total['setup_seconds']:.1f} s", f"{total['seconds']:.1f} s", f"{rate_of(report) / 1e6:,.0f}",
                     f"{memory['peak'] * 1e-9:.1f} GB", f"{memory['peak_host'] * 1e-9:.1f} GB"))
    return markdown_table(("case", "GPUs", "steps or iterations", "setup", "time of the steps", "M/s", "most memory of a GPU",
                           "of its rank on the host"), rows)
