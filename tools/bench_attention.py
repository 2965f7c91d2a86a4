"""Measure attention: the plain form, in place, in blocks, torch's, and the two matrix products that none can do without.

    make bench                  measures (some minutes), then writes docs/bench.json, docs/bench.png and their section
                                of docs/PERFORMANCE.md
    make bench ARGS=--render    writes the figure and the section anew, from the docs/bench.json that is there

One thread for all, so that a process's own time is what a call takes, whoever else is at work. In each round every contestant has
its turn, and ratios are taken within a round: a machine that slows down slows all of them. Reported with quartiles, never asserted.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":  # the libraries read these when NumPy is imported; an import by a test must change nothing
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", VECLIB_MAXIMUM_THREADS="1")
    os.environ.pop("OPENBLAS_CORETYPE", None)  # the kernel that fits the processor, not an inherited one

import inspect
import json
import math
import platform
import re
import subprocess
import textwrap
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time

import numpy as np

from attention_chapter import figures
from attention_core import blocked_attention, scaled_dot_product_attention
from tools.refresh import replace, with_section

ROOT = Path(__file__).resolve().parent.parent
RESULTS, FIGURE, PAGE = ROOT / "docs" / "bench.json", ROOT / "docs" / "bench.png", ROOT / "docs" / "PERFORMANCE.md"

PLAIN, IN_PLACE, BLOCKED, TORCH, PRODUCTS = "plain", "in place", "blocked", "torch", "products alone"
SIZES = (128, 256, 512, 1024, 2048, 4096, 8192)
LONG = 100_000
D_K = 64
BLOCK = inspect.signature(blocked_attention).parameters["block"].default
ROUNDS = 21
LEAST = 0.02  # seconds a turn: a faster call is repeated
MIB = 2**20

# What is asked of blocked attention, for n >= LARGE; the last at the largest n.
LARGE = 1024
MOST_OF_TORCH, LEAST_OF_LIMIT, MOST_MIB = 1.4, 0.72, 8


# --- the contestants -------------------------------------------------------------------------------------------------


def in_place(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """The plain formula in one n x n buffer."""
    S = (Q * Q.dtype.type(1 / math.sqrt(Q.shape[1]))) @ K.T
    S -= S.max(axis=1, keepdims=True)
    np.exp(S, out=S)
    O = S @ V
    O /= S.sum(axis=1, keepdims=True)
    return O


def products(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block: tuple[int, int] = BLOCK) -> None:
    """The products Q_b K_c^T and S V_c of blocked attention, with nothing between them: the limit for NumPy."""
    rows, columns = block
    scores, blend = np.empty(block, Q.dtype), np.empty((rows, V.shape[1]), Q.dtype)
    for i in range(0, len(Q), rows):
        q = Q[i : i + rows]
        for j in range(0, len(K), columns):
            k = K[j : j + columns]
            S = np.matmul(q, k.T, out=scores[: len(q), : len(k)])
            np.matmul(S, V[j : j + columns], out=blend[: len(q)])


def inputs(n: int) -> np.ndarray:
    return np.random.default_rng(n).normal(size=(3, n, D_K)).astype(np.float32)


def contestants(Q: np.ndarray, K: np.ndarray, V: np.ndarray, torch) -> dict[str, Callable[[], object]]:
    """What is measured, in the order of the turns; without torch (None) its turn falls out."""
    calls = {
        PLAIN: lambda: scaled_dot_product_attention(Q, K, V).output,
        IN_PLACE: lambda: in_place(Q, K, V),
        BLOCKED: lambda: blocked_attention(Q, K, V),
    }
    if torch:
        tensors = [torch.from_numpy(a)[None, None] for a in (Q, K, V)]  # a batch of one, one head
        calls[TORCH] = lambda: torch.nn.functional.scaled_dot_product_attention(*tensors)[0, 0].numpy()
    return calls | {PRODUCTS: lambda: products(Q, K, V)}


def largest_difference(calls: Mapping[str, Callable]) -> float:
    """How far the outputs are from torch's, or without it from the plain form's; raises where they are not the same."""
    reference = calls.get(TORCH, calls[PLAIN])()
    largest = 0.0
    for name in (PLAIN, IN_PLACE, BLOCKED):
        output = calls[name]()
        # Averages of values of about 1, summed in float32 (eps 1.2e-7) in different orders.
        np.testing.assert_allclose(output, reference, rtol=0, atol=1e-5, err_msg=name)
        largest = max(largest, float(abs(output - reference).max()))
    return largest


# --- measuring -------------------------------------------------------------------------------------------------------


def rounds(calls: Mapping[str, Callable], count: int) -> dict[str, np.ndarray]:
    """Seconds a call, ``count`` of them for each: in every round each has its turn, of at least LEAST seconds."""
    repeats = {}
    for name, call in calls.items():
        call()  # the first one pays for what is made once
        began = process_time()
        call()
        repeats[name] = max(1, math.ceil(LEAST / max(process_time() - began, 1e-9)))
    seconds = {name: np.empty(count) for name in calls}
    for turn in range(count):
        for name, call in calls.items():
            began = process_time()
            for _ in range(repeats[name]):
                call()
            seconds[name][turn] = (process_time() - began) / repeats[name]
    return seconds


def quartiles(values: np.ndarray) -> list[float]:
    """Lower quartile, median and upper quartile, to four digits."""
    return [float(f"{x:.4g}") for x in np.quantile(values, (0.25, 0.5, 0.75))]


def ratios(seconds: Mapping[str, np.ndarray], over: str) -> dict[str, list[float]]:
    """The quartiles of each one's time over that of ``over`` in the same round."""
    return {name: quartiles(own / seconds[over]) for name, own in seconds.items() if name != over}


def peak(call: Callable[[], np.ndarray]) -> int:
    """The most bytes that Python and NumPy hold during a call, beyond what was there before and the array it returns."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        output = call()
        return tracemalloc.get_traced_memory()[1] - before - output.nbytes
    finally:
        tracemalloc.stop()


def measure(n: int, torch) -> dict:
    """All that is measured for one n."""
    calls = contestants(*inputs(n), torch)
    difference = largest_difference(calls)
    seconds = rounds(calls, ROUNDS)
    return {
        "n": n,
        "largest_difference": float(f"{difference:.2g}"),
        "milliseconds": {name: quartiles(1e3 * own) for name, own in seconds.items()},
        "of_limit": {name: quartiles(seconds[PRODUCTS] / own) for name, own in seconds.items() if name != PRODUCTS},
        "over_torch": ratios(seconds, TORCH) if torch else {},
        "peak_bytes": {name: peak(calls[name]) for name in (PLAIN, IN_PLACE, BLOCKED)},
    }


def steps() -> dict[str, float]:
    """What each step of one full block of blocked attention takes, as a share of their sum (medians)."""
    rows, columns = BLOCK
    rng = np.random.default_rng(0)
    Q, K, V = (rng.normal(size=(size, D_K)).astype(np.float32) for size in (rows, columns, columns))
    S = Q @ K.T / np.float32(math.sqrt(D_K))
    scores, ones = np.empty_like(S), np.ones((columns, 1), np.float32)
    E = np.exp(S)
    seconds = rounds(
        {
            "two products": lambda: (np.matmul(Q, K.T, out=scores), E @ V),
            "exponential": lambda: np.exp(S, out=scores),
            "sum": lambda: E @ ones,
        },
        ROUNDS,
    )
    medians = {name: float(np.median(own)) for name, own in seconds.items()}
    return {name: round(own / sum(medians.values()), 3) for name, own in medians.items()}


def measure_long(n: int = LONG) -> dict:
    """One blocked evaluation for an n whose matrix fits no memory, a slice of queries at a time."""
    Q, K, V = inputs(n)
    O = np.empty((n, D_K), np.float32)
    size = 8 * BLOCK[0]

    def evaluate() -> np.ndarray:
        for i in range(0, n, size):
            O[i : i + size] = blocked_attention(Q[i : i + size], K, V)
            print(f"\rn = {n:,}: {min(i + size, n):,} queries done", end="", flush=True)
        print()
        return O[:0]  # O itself was there before

    began = process_time()
    used = peak(evaluate)
    seconds = process_time() - began
    some = np.random.default_rng(0).choice(n, 16, replace=False)
    exact = scaled_dot_product_attention(*(a.astype(np.float64) for a in (Q[some], K, V))).output
    np.testing.assert_allclose(O[some], exact, rtol=0, atol=1e-5)  # as above
    return {
        "n": n,
        "seconds": float(f"{seconds:.3g}"),
        "peak_bytes": used,
        "matrix_bytes": 4 * n * n,
        "rows_checked": len(some),
        "largest_difference": float(f"{abs(O[some] - exact).max():.2g}"),
    }


# --- the machine -----------------------------------------------------------------------------------------------------


def processor() -> str:
    try:
        return re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE).group(1).strip()
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


def blas_kernel() -> str:
    """The kernel that OpenBLAS chose for this processor, which it says only when it is loaded; "" with another BLAS."""
    done = subprocess.run(
        [sys.executable, "-c", "import numpy"], env={**os.environ, "OPENBLAS_VERBOSE": "2"}, capture_output=True, text=True
    )
    found = re.search(r"Core: (\w+)", done.stdout + done.stderr)
    return found.group(1) if found else ""


def machine(torch) -> dict:
    blas = np.show_config("dicts")["Build Dependencies"]["blas"]
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": f"{blas['name']} {blas['version']}",
        "blas_kernel": blas_kernel(),
        "torch": torch.__version__ if torch else "",
        "torch_build": ("" if not torch else f"CUDA {torch.version.cuda} build" if torch.version.cuda else "CPU build"),
        "torch_kernel": torch.backends.cpu.get_cpu_capability() if torch else "",
    }


def find_torch():
    """torch on one thread, or None."""
    try:
        import torch
    except ImportError:
        print("torch is not installed: its column is left out. `make bench` installs it where pip can.")
        return None
    torch.set_num_threads(1)
    return torch


# --- what the page says ----------------------------------------------------------------------------------------------


def figure(results: dict) -> figures.Picture:
    """Each one's share of the limit, by n."""
    sizes = results["sizes"]
    series = {name: np.array([row["of_limit"][name][1] for row in sizes]) for name in sizes[0]["of_limit"]}
    last = sizes[-1]
    title = (
        f"n = {last['n']:,}: blocks at {last['of_limit'][BLOCKED][1]:.2f} of the bare products' speed, "
        f"the plain form at {last['of_limit'][PLAIN][1]:.2f}"
    )
    return figures.bars(
        series,
        [f"{row['n']:,}" for row in sizes],
        title=title,
        across="queries and keys, n",
        digits=None,
        what="time of the two products alone\nover own time",
    )


def mib(count: int) -> str:
    return f"{count / MIB:,.1f}" if count < 100 * MIB else f"{count / MIB:,.0f}"


def milliseconds(x: float) -> str:
    return f"{x:,.0f}" if x >= 100 else f"{x:#.3g}"


def paragraph(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 140, break_long_words=False, break_on_hyphens=False)


def spread(three: list[float]) -> str:
    return f"{three[1]:.2f} ({three[0]:.2f} to {three[2]:.2f})"


def table(header: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, ["---:"] * len(header), *rows])


def verdict(values: Mapping[int, float], reached: Callable[[float], bool], asked: str) -> str:
    """The range of a measured number over n, what was asked of it, and for which n it was not reached."""
    missed = [f"{n:,}" for n, value in values.items() if not reached(value)]
    told = " to ".join(f"{x:.3g}" for x in sorted({min(values.values()), max(values.values())}))
    return f"{told} (asked: {asked}; {'missed at n = ' + ' and '.join(missed) if missed else 'reached'})"


def about(results: dict) -> str:
    """On what machine, in what setting and how it was measured."""
    m, block, agree = results["machine"], results["block"], max(row["largest_difference"] for row in results["sizes"])
    kernels = f" with its {m['blas_kernel']} kernels" if m["blas_kernel"] else ""
    versus = f", torch {m['torch']} ({m['torch_build']}, {m['torch_kernel']})" if m["torch"] else ""
    return f"""
        Measured with `make bench` on one of {m["cores"]} cores, {m["processor"]} ({m["system"]}): Python {m["python"]}, NumPy {m["numpy"]},
        {m["blas"]}{kernels}{versus}. One head, d_k = {results["d_k"]}, {results["dtype"]}, no mask, blocks of {block[0]} queries and
        {block[1]} keys. Milliseconds of processor time are medians of {results["rounds"]} rounds in which all take turns; ratios are taken
        within a round, with their quartiles in brackets. *In place* is the plain formula with one n x n buffer; *{PRODUCTS}* are the
        two matrix products of the blocks with nothing between them, the limit for NumPy. All outputs agree to {agree:.0e}."""


def reached(results: dict) -> str:
    """What was asked of blocked attention, and what came out."""
    sizes = results["sizes"]
    large, last = [row for row in sizes if row["n"] >= LARGE], sizes[-1]
    over = (
        verdict(
            {row["n"]: row["over_torch"][BLOCKED][1] for row in large}, lambda x: x <= MOST_OF_TORCH, f"at most {MOST_OF_TORCH}"
        )
        if results["machine"]["torch"]
        else "not measured"
    )
    share = verdict(
        {row["n"]: row["of_limit"][BLOCKED][1] for row in large}, lambda x: x >= LEAST_OF_LIMIT, f"at least {LEAST_OF_LIMIT}"
    )
    memory = verdict({last["n"]: last["peak_bytes"][BLOCKED] / MIB}, lambda x: x < MOST_MIB, f"under {MOST_MIB}")
    return f"""
        **What was reached,** on this {results["machine"]["processor"]}. For n of at least {LARGE:,}, blocked over torch is {over}, and products over blocked, the share of the
        limit, {share}. The peak at n = {last["n"]:,} in MiB is {memory}."""


def limits(results: dict) -> str:
    """Where the rest of the time goes."""
    share = {name: f"{100 * part:.0f} %" for name, part in results["steps"].items()}
    return f"""
        **What limits it.** Of the time that the steps of one block take one by one, the two products are {share["two products"]}, the
        exponential {share["exponential"]}, the sum {share["sum"]}. Here a bound on the scores leaves room for all exponentials, so that no maximum is
        taken and nothing is ever rescaled. NumPy walks through the block once for each step; a fused kernel such as torch's does them while the scores are at hand. Plain and
        in-place attention walk through all of an n x n matrix instead, which for large n fits no cache. For small n, the checks and the
        calls themselves weigh more than the arithmetic."""


def section(results: dict, alt: str) -> str:
    """The page's section between its two comments: a function of the stored measurements alone."""
    sizes, long, torch = results["sizes"], results["long"], bool(results["machine"]["torch"])
    names = list(sizes[0]["milliseconds"])
    times = [
        [
            f"{row['n']:,}",
            *(milliseconds(row["milliseconds"][name][1]) for name in names),
            *([spread(row["over_torch"][BLOCKED])] if torch else []),
            spread(row["of_limit"][BLOCKED]),
        ]
        for row in sizes
    ]
    peaks = [[f"{row['n']:,}", mib(4 * row["n"] ** 2), *(mib(used) for used in row["peak_bytes"].values())] for row in sizes]
    at_length = f"""
        **n = {long["n"]:,}.** In blocks one evaluation took {long["seconds"]:.0f} s and never held more than {mib(long["peak_bytes"])} MiB beyond
        inputs and output; the matrix it does without would be {long["matrix_bytes"] / 1e9:.0f} GB. {long["rows_checked"]} of its rows, computed
        again in float64, differ by {long["largest_difference"]:.0e} at most."""
    parts = [
        paragraph(about(results)),
        table(["n", *names, *(["blocked / torch"] if torch else []), "products / blocked"], times),
        f"![{alt}]({FIGURE.name})",
        "Most MiB held at a time beyond inputs and output, as NumPy reports it (torch and BLAS report none of theirs):",
        table(["n", "one n x n matrix", PLAIN, IN_PLACE, BLOCKED], peaks),
        *map(paragraph, (at_length, reached(results), limits(results))),
    ]
    return "\n" + "\n\n".join(parts) + "\n"


def publish() -> None:
    """Draw the figure and write the page's section from docs/bench.json."""
    results = json.loads(RESULTS.read_text("utf-8"))
    picture = figure(results)
    replace(FIGURE, picture.png)
    replace(PAGE, with_section(PAGE.read_text("utf-8"), "bench", section(results, picture.alt)).encode())


def main() -> None:
    if sys.argv[1:] == ["--render"]:
        return publish()
    torch = find_torch()
    results = {"machine": machine(torch), "d_k": D_K, "dtype": "float32", "block": list(BLOCK), "rounds": ROUNDS}
    print(", ".join(f"{what}: {told}" for what, told in results["machine"].items() if told), flush=True)
    results["sizes"] = []
    for n in SIZES:
        results["sizes"].append(row := measure(n, torch))
        print(
            f"n = {n:,}: {', '.join(f'{name} {three[1]:.4g} ms' for name, three in row['milliseconds'].items())}; of the limit "
            f"{spread(row['of_limit'][BLOCKED])}",
            flush=True,
        )
    results["steps"] = steps()
    results["long"] = measure_long()
    replace(RESULTS, (json.dumps(results, indent=1) + "\n").encode("utf-8"))
    publish()
    print(f"written: {', '.join(str(path.relative_to(ROOT)) for path in (RESULTS, FIGURE, PAGE))}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. The previous results are as they were.")
