"""Numbers as a picture: lines, bars, points and histograms."""

import io
import os
from typing import Any

from bot.knowledge.making.orders import CantMake, FileOrder, MadeFile, PlotOrder, Series

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes memory in advance
os.environ.setdefault("MPLCONFIGDIR", "/nonexistent")
_SIZE_IN = (8.0, 4.8)
_DPI = 130
_BINS = 40
_LABEL_CHARS = 24
_CROWDED = 8


def made_plot(order: FileOrder) -> MadeFile:
    plot = order.plot
    if plot is None:
        raise CantMake("a plot needs series")
    import matplotlib as mpl  # noqa: PLC0415 - after the limits; an extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.use("Agg")
    mpl.rcParams["text.parse_math"] = False
    figure: Any = Figure(figsize=_SIZE_IN, dpi=_DPI, layout="constrained")
    axes: Any = figure.add_subplot()
    _draw(axes, plot)
    axes.set_title(plot.title)
    axes.set_xlabel(plot.x_title)
    axes.set_ylabel(plot.y_title)
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    if any(one.name for one in plot.series):
        axes.legend()
    made = io.BytesIO()
    figure.savefig(made, format="png")
    return MadeFile(made.getvalue())


def _draw(axes: Any, plot: PlotOrder) -> None:
    if plot.kind == "histogram":
        if any(one.x for one in plot.series):
            raise CantMake("a histogram counts y; leave x out")
        longest = max(len(one.y) for one in plot.series)
        axes.hist(
            [list(one.y) for one in plot.series],
            bins=min(_BINS, max(5, round(longest**0.5) + 1)),
            label=[one.name or None for one in plot.series],
        )
        return
    names = _names(plot)
    for number, one in enumerate(plot.series):
        _require_alike(one)
        x = _places(one, names)
        match plot.kind:
            case "bar":
                wide = 0.8 / len(plot.series)
                aside = (number - (len(plot.series) - 1) / 2) * wide
                axes.bar([at + aside for at in x], one.y, wide, label=one.name or None)
            case "scatter":
                axes.scatter(x, one.y, s=18, label=one.name or None)
            case _:
                mark = "o" if len(x) <= 60 else ""
                axes.plot(x, one.y, marker=mark, markersize=4, label=one.name or None)
    if names:
        step = max(1, len(names) // 30)
        shown = [name[:_LABEL_CHARS] for name in names][::step]
        crowded = len(shown) > _CROWDED or max(map(len, shown)) > _LABEL_CHARS // 2
        axes.set_xticks(
            range(0, len(names), step),
            shown,
            rotation=45 if crowded else 0,
            ha="right" if crowded else "center",
        )


def _names(plot: PlotOrder) -> list[str]:
    """The places of the x axis by name, in the order of the series; empty if it is of numbers."""
    if plot.kind == "bar" or any(isinstance(x, str) for one in plot.series for x in one.x):
        given = [_name(x) for one in plot.series for x in one.x]
        longest = max(len(one.y) for one in plot.series)
        return list(dict.fromkeys(given)) or [str(n) for n in range(1, longest + 1)]
    return []


def _name(x: float | str) -> str:
    return x if isinstance(x, str) else f"{x:g}" if abs(x) < 1e6 else f"{x:.0f}"


def _places(one: Series, names: list[str]) -> list[float]:
    if not one.x:
        return [float(n) + (0 if names else 1) for n in range(len(one.y))]
    if names:
        places = {name: float(n) for n, name in enumerate(names)}
        return [places[_name(x)] for x in one.x]
    return [float(x) for x in one.x]


def _require_alike(one: Series) -> None:
    if one.x and len(one.x) != len(one.y):
        called = f"series {one.name!r}" if one.name else "a series"
        raise CantMake(f"{called} has {len(one.x)} x and {len(one.y)} y; give as many of each")
