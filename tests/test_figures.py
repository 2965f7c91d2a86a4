"""Figures and scenes: their words follow what they draw, and every frame is what a fresh drawing would be."""

import functools
import hashlib
import inspect
import io
import platform
import runpy
import sys
from dataclasses import replace
from importlib.metadata import version

import matplotlib as mpl
import numpy as np
import pytest
from golden import Golden
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from attention_chapter import diagrams, figures, run, scenes
from attention_chapter import picture as made
from attention_core import attention
from kg import ENTITIES, adjacency

R = run.draw()
HEAD = attention(R.X, R.Wq, R.Wk, R.Wv)
X = np.linspace(0, 1, 11)
SWAPPED = {"true": {"advises": "carol", "authored": "p1"}, "swapped": {"advises": "p1", "authored": "carol"}}

FIVE = {"X": R.X, "Q": R.X @ R.Wq, "K": R.X @ R.Wk, "V": R.X @ R.Wv, "S": HEAD.scaled, "A": HEAD.weights, "O": HEAD.output}
THIRDS = np.array([[0.2, 0.3, 0.5], [0.8, 0.1, 0.1]])

# One call of every still figure.
DRAWINGS = {
    "simplex": lambda: diagrams.simplex(
        np.stack([np.full((2, 3), 1 / 3), [[0.5, 0.5, 0.0], [0.9, 0.1, 0.0]]]),
        THIRDS,
        np.stack([np.diag(p) - np.outer(p, p) for p in THIRDS]),
        list("abc"),
        size=0.2,
        upto=8,
        title="t",
    ),
    "compass": lambda: diagrams.compass(
        np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]),
        list("abc"),
        np.array([[2.0, 0.0], [0.0, 3.0], [-2.0, 0.0]]),
        {
            "c = 1": np.array([[1.0, 1.0], [0.0, 2.0], [-1.0, 1.0], [1.0, 1.0]]),
            "c = 3": np.array([[1.5, 0.5], [0.0, 2.5], [-1.5, 0.5], [1.5, 0.5]]),
        },
        at=120,
        title="t",
    ),
    "sight": lambda: diagrams.sight(
        np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]),
        np.array([[2.0, 0.0], [0.0, 3.0], [-2.0, 0.0]]),
        list("abc"),
        30.0,
        np.array([0.5, 0.3, 0.1, 0.1]),
        np.array([0.8, 0.9]),
        np.array([[1.0, 0.5], [-0.2, 0.7]]),
        size=0.5,
        title="t",
    ),
    "flow": lambda: diagrams.flow(FIVE, ENTITIES, "bob"),
    "split": lambda: diagrams.split(13, 8, 2),
    "heatmap": lambda: figures.heatmap(HEAD.weights, ENTITIES, ENTITIES, title="t", what="w"),
    "heatmap, signed": lambda: figures.heatmap(HEAD.raw, ENTITIES, ENTITIES, title="t", what="w", signed=True, digits=1),
    "heatmaps": lambda: figures.heatmaps({"a": R.noise, "b": R.X}, ENTITIES, list("01234567"), title="t", what="w", signed=True),
    "heatmaps, outlined": lambda: figures.heatmaps(
        {"a": HEAD.weights}, ENTITIES, ENTITIES, title="t", what="w", outlined={"the true objects": adjacency("authored")}
    ),
    "first_keys": lambda: figures.first_keys({"a": HEAD.weights, "b": HEAD.weights.T}, ENTITIES, "bob", title="t"),
    "first_keys, two rows": lambda: figures.first_keys(
        {name: np.roll(HEAD.weights, k, axis=1) for k, name in enumerate("abcde")}, ENTITIES, "p2", title="t"
    ),
    "weighted_values": lambda: figures.weighted_values(HEAD.weights[1], R.X @ R.Wv, ENTITIES, "bob"),
    "heatmap, small": lambda: figures.heatmap(
        np.outer([1.0, -2.0], X[:3]), ["x", "y"], ["a", "b", "c"], title="t", what="w", signed=True
    ),
    "heatmap, without numbers": lambda: figures.heatmap(
        R.X, ENTITIES, list("01234567"), title="t", what="w", signed=True, digits=None, across="feature", down="entity"
    ),
    "bars": lambda: figures.bars({"a": HEAD.weights[1], "b": HEAD.weights[2]}, ENTITIES, title="t"),
    "bars, one series": lambda: figures.bars(
        {"a": np.array([0.2, 0.7, 0.1])},
        ["x", "y", "z"],
        title="t",
        what="share",
        across="place",
        digits=2,
        levels={"guessing, 1/3": 1 / 3},
    ),
    "bars, four series": lambda: figures.bars(
        {"a": X[:3], "b": X[3:6], "c": X[6:9], "d": X[8:]}, ["x", "y", "z"], title="t", digits=None
    ),
    "nudge": lambda: figures.nudge(np.array([0.2, 0.5, 0.3]), np.array([0.4, 0.3, 0.3]), "abc", title="t", across="slot"),
    "reach": lambda: figures.reach(
        np.array([[2.0, 0.0], [0.0, 1.0], [-2.0, 0.0]]),
        ["x", "y", "z"],
        {"a": np.zeros(2), "b": np.array([1.0, 0.2])},
        {"a": np.array([[1.0, 0.5], [-0.2, 0.7]]), "b": np.eye(2) / 3},
        size=0.5,
        title="t",
    ),
    "shares": lambda: figures.shares(
        {"c = 0": np.full(4, 0.25), "c = 3": np.array([0.05, 0.03, 0.9, 0.02])}, ["x", "y", "z", "w"], title="t"
    ),
    "lines": lambda: figures.lines(X, {"a": X, "b": X**2}, title="t", across="x", what="y", points={"p": (0.5, 0.5)}),
    "lines, spread": lambda: figures.lines(
        X, {"a": X, "b": X**2}, title="t", across="x", what="y", dots=["b"], spread={"b": (X**2 - 0.1, X**2 + 0.2)}
    ),
    "lines, logarithmic": lambda: figures.lines(
        2.0 ** np.arange(8),
        {f"{k}": 2.0 ** (np.arange(8) * k) for k in range(6)},
        title="t",
        across="x",
        what="y",
        log="xy",
        levels={"one": 1.0, "ten": 10.0},
        dots=["1"],
    ),
    "lines, dotted": lambda: figures.lines(
        X[:5], {f"{k}": X[:5] * k for k in range(6)}, title="t", across="x", what="y", dots=list("012345")
    ),
    "lines, counted": lambda: figures.lines(
        np.arange(1, 6), {"a": np.array([3, 8, 9, 9, 9])}, title="t", across="x", what="y", whole=True
    ),
    "lines, counted on a logarithmic axis": lambda: figures.lines(
        np.arange(4), {"a": 10.0 ** -np.arange(4)}, title="t", across="x", what="y", whole=True, log="y"
    ),
    "lines, noisy": lambda: figures.lines(
        X + 0.1, {"derived": X + 0.1, "measured": (X + 0.1) ** 2}, title="t", across="step h", what="error", log="xy", noisy=True
    ),
    "ridges": lambda: figures.ridges(
        {name: R.products[k].dots for k, name in enumerate("abc")},
        {"a": 2.0, "b": 8.0, "c": 16.0},
        title="t",
        across=("x", "x over its spread"),
        curves={"a": lambda x: np.exp(-abs(x)) / 2},
    ),
    "world": figures.world,
    "wirings": lambda: figures.wirings(adjacency(directed=False), HEAD.weights, "bob"),
    "tiles": lambda: figures.tiles([(0.5, 2.25), (1.5, 3.5), (1.5, 4.0)], ENTITIES, (4, 5), "carol"),
    "ribbons": lambda: figures.ribbons(
        {"first": HEAD.weights, "second": HEAD.weights.T}, [adjacency(), adjacency().T], ENTITIES, "bob", title="t"
    ),
    "soft_dictionary": lambda: figures.soft_dictionary(
        np.ones(4), np.eye(4), R.values, np.array([0.1, 0.2, 0.6, 0.1]), [0.1, 0.2, 0.6, 0.1] @ R.values, list("abcd")
    ),
    "ranges": lambda: figures.ranges(
        X[:3], X[3:6], X[2:5], list("abc"), title="t", what="weight", across="key", fixed="one output", dot="the weight it was"
    ),
    "swapped_worlds, one output": lambda: figures.swapped_worlds(
        SWAPPED, {world: {"": X[:4]} for world in SWAPPED}, who="bob", title="t"
    ),
    "swapped_worlds, two heads": lambda: figures.swapped_worlds(
        SWAPPED, {"true": {"a": X[:4], "b": X[4:8]}, "swapped": {"a": X[4:8], "b": X[:4]}}, who="bob", title="t"
    ),
}
SCENES = {
    "query_row": (lambda: scenes.query_row(HEAD.weights, HEAD.output), ("alice", "bob", "p3")),
    "retrieval": (lambda: scenes.retrieval(R.values), (0.0, 3.0, 8.0)),
    "widths": (lambda: scenes.widths({p.d_k: p.dots for p in R.products}), (4, 64, 256)),
    "temperature": (lambda: scenes.temperature(R.z), (0.1, 1.0, 10.0)),
    "matrices": (
        lambda: scenes.matrices({"a": HEAD.weights, "b": np.eye(13)}, what="w", finding=lambda n, M: f"{n}: {M[0, 0]:.4f}"),
        ("a", "b"),
    ),
    "matrices, outlined": (
        lambda: scenes.matrices(
            {"a": HEAD.weights, "b": np.eye(13)}, what="w", finding=lambda n, M: n, outlined={"facts": adjacency()}
        ),
        ("a", "b"),
    ),
    "crosstalk": (lambda: scenes.crosstalk(4, 0.9), (-1 / 3, 0.0, 0.9)),
    "rereading": (lambda: scenes.rereading(4, 12), (0.0, 3.0, 8.0)),
}


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


@functools.cache
def drawn(name):
    """A still picture, or a scene at its last value, and what matplotlib drew for it."""
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(made, "fingerprint", lambda figure, true=made.fingerprint: seen.append(figure) or true(figure))
        picture = DRAWINGS[name]() if name in DRAWINGS else scenes.picture_at(SCENES[name][0](), SCENES[name][1][-1])
    return picture, seen[0]


@pytest.fixture
def seen(monkeypatch):
    """What matplotlib draws for the pictures of a test, one figure after the other."""
    figures_drawn = []
    monkeypatch.setattr(made, "fingerprint", lambda figure: figures_drawn.append(figure) or "")
    return figures_drawn


@functools.cache
def frames(name):
    """A scene and its frames."""
    scene = SCENES[name][0]()
    return scene, list(scenes.frames(scene, SCENES[name][1]))


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_figure_has_a_picture_and_its_words(name):
    picture, _ = drawn(name)
    assert pixels(picture.png).shape[:2] == (picture.height * made.DPI // made.SHOWN, picture.width * made.DPI // made.SHOWN)
    assert tuple(pixels(picture.png)[0, 0]) == (255, 255, 255)  # opaque white, for dark themes
    assert len(picture.alt) > 60 and len(picture.caption) > 40 and "nan" not in picture.alt + picture.caption
    assert picture.width <= 1280 and picture.height <= 720  # one projector page


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_figure_is_the_same_at_every_call_and_under_any_style_of_the_reader(name):
    first, _ = drawn(name)
    with mpl.rc_context({"font.size": 6, "image.cmap": "jet", "axes.facecolor": "black", "lines.linewidth": 9}):
        assert DRAWINGS[name]() == first
        assert mpl.rcParams["font.size"] == 6  # and the reader's style is left as it was


def test_the_chapter_s_style_is_the_same_whatever_the_reader_has_set_and_leaves_the_backend_alone():
    foreign = {"font.size": 30, "axes.grid": True, "legend.frameon": True}
    backend = dict.__getitem__(mpl.rcParams, "backend")
    try:
        dict.__setitem__(mpl.rcParams, "backend", "svg")
        with mpl.rc_context(foreign):
            assert runpy.run_path(made.__file__)["BASE"] == made.BASE
            assert {key: mpl.rcParams[key] for key in foreign} == foreign
        assert dict.__getitem__(mpl.rcParams, "backend") == "svg"
    finally:
        dict.__setitem__(mpl.rcParams, "backend", backend)
    assert not any(key.startswith("backend") for key in made.BASE)
    assert {key: made.BASE[key] for key in made.STYLE} == made.STYLE


@pytest.mark.parametrize("name", [*DRAWINGS, *SCENES])
def test_no_text_is_smaller_than_ten_points(name):
    texts = [t for t in drawn(name)[1].findobj(mpl.text.Text) if t.get_text().strip()]
    assert texts and min(t.get_fontsize() for t in texts) >= 10


# What is written down: every picture's words, and a digest of its pixels. After a wanted change, look at the pictures, have
# `python tests/test_figures.py` write it down anew, and read what differs.
BASIS = ", ".join([f"{name} {version(name)}" for name in ("matplotlib", "numpy", "pillow")] + [platform.machine(), sys.platform])
SHOWN = {
    **{name: functools.partial(lambda name: drawn(name)[0], name) for name in DRAWINGS},
    **{f"{name}, still": functools.partial(lambda name: drawn(name)[0], name) for name in SCENES},
    **{
        f"{name} at {value}": functools.partial(lambda name, k: frames(name)[1][k], name, k)
        for name, (_, values) in SCENES.items()
        for k, value in enumerate(values)
    },
}


def words(picture):
    return f"{picture.alt}\n{picture.caption}\n{picture.fingerprint}, {picture.width} by {picture.height}"


def digest(picture):
    return hashlib.sha256(pixels(picture.png).tobytes()).hexdigest()[:16]


WORDS = {shown: lambda shown=shown: words(SHOWN[shown]()) for shown in SHOWN}
PIXELS = {f"{shown}, pixels": lambda shown=shown: digest(SHOWN[shown]()) for shown in SHOWN}
WRITTEN = Golden("pictures.txt", {"what drew the pixels": lambda: BASIS, **WORDS, **PIXELS}, "test_figures.py")


@pytest.mark.parametrize("shown", WORDS)
def test_the_words_of_a_picture_are_those_written_down(shown):
    WRITTEN.check(shown)


@pytest.mark.parametrize("shown", PIXELS)
def test_the_pixels_of_a_picture_are_those_written_down(shown):
    drew = WRITTEN.written["what drew the pixels"]
    if drew != BASIS:
        pytest.skip(f"the pixels are written down for {drew}; here is {BASIS}")
    WRITTEN.check(shown)


def test_every_public_figure_and_scene_has_a_case_and_every_block_belongs_to_one():
    made_by = {
        (module.__name__, name)
        for module, kind in ((figures, "Picture"), (diagrams, "Picture"), (scenes, "Scene"))
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and thing.__module__ == module.__name__
        and name[0] != "_"
        and thing.__annotations__.get("return") == kind
        and name != "still"
    }
    tried = {name.partition(",")[0] for name in [*DRAWINGS, *SCENES]}
    lacking = [
        f"{module}.{name} has no case: add one to {'SCENES' if module.endswith('scenes') else 'DRAWINGS'} in tests/test_figures.py"
        for module, name in sorted(made_by)
        if name not in tried
    ]
    assert len(made_by) > 10 and not lacking, "; ".join(lacking)
    assert not WRITTEN.strays(), WRITTEN.strays()


CHANGES = {
    "one entry": lambda A: A + 1e-4 * np.eye(13),
    "transposed": lambda A: A.T,
    "scaled": lambda A: 2 * A,
    "rows reordered": lambda A: A[::-1],
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_data_have_other_words(change):
    a, b = (
        figures.heatmap(M, ENTITIES, ENTITIES, title="t", what="w", digits=None)
        for M in (HEAD.weights, CHANGES[change](HEAD.weights))
    )
    assert a.fingerprint != b.fingerprint


def test_another_colour_map_or_another_limit_has_another_alt_text(monkeypatch):
    before, _ = drawn("heatmap")
    monkeypatch.setattr(figures, "PROBABILITY", "Greens")
    assert DRAWINGS["heatmap"]().alt != before.alt
    monkeypatch.undo()
    monkeypatch.setattr(figures, "shared_limits", lambda signed, *M: (0.0, 1.0))
    assert DRAWINGS["heatmap"]().alt != before.alt


def test_another_legend_or_another_line_has_another_mark():
    draw = lambda **series: figures.lines(X, series, title="t", across="x", what="y").fingerprint
    assert len({draw(a=X, b=X), draw(a=X, c=X), draw(a=X, b=X**2), draw(a=X)}) == 4


def test_rounding_noise_does_not_reach_the_words():
    noise = HEAD.weights * (1 + 1e-15)
    a, b = (figures.heatmap(M, ENTITIES, ENTITIES, title="t", what="w", digits=None) for M in (HEAD.weights, noise))
    assert (a.alt, a.caption, a.fingerprint) == (b.alt, b.caption, b.fingerprint)


def test_side_by_side_maps_share_limits_and_signed_ones_are_centred_at_zero():
    assert figures.shared_limits(True, np.array([[-3.0]]), np.array([[2.0]])) == (-3.0, 3.0)
    assert figures.shared_limits(False, np.array([[0.2]]), np.array([[0.7]])) == (0.0, 0.7)


def test_the_ink_in_a_cell_stands_out_on_its_colour():
    image = mpl.figure.Figure().subplots().imshow([[0.0, 1.0]], cmap="Blues")
    assert figures.ink(image, np.array([0.0, 1.0])).tolist() == ["black", "white"]


@pytest.mark.parametrize("name", SCENES)
def test_a_frame_says_what_the_still_picture_at_its_value_says(name):
    scene, run_of_frames = frames(name)
    assert len({(f.alt, f.fingerprint) for f in run_of_frames}) == len(SCENES[name][1])  # no frame repeats another
    for value, frame in zip(SCENES[name][1], run_of_frames):
        still = scenes.picture_at(scene, value)
        assert (still.alt, still.fingerprint) == (frame.alt, frame.fingerprint)
        assert frame.caption in still.caption


@pytest.mark.parametrize("name", SCENES)
def test_a_frame_has_the_pixels_of_a_drawing_from_scratch(name):
    build, values = SCENES[name]
    for value, frame in zip(values, frames(name)[1]):
        assert tuple(pixels(frame.png)[0, 0]) == (255, 255, 255)
        scene = build()
        scene.move(value)
        scene.figure.set_dpi(made.SHOWN)
        canvas = FigureCanvasAgg(scene.figure)
        canvas.draw()
        fresh = pixels(made.encode(np.asarray(canvas.buffer_rgba())))
        # What moves is drawn above what stands still, so that pixels may differ where the two cross (a curve's point, an axis).
        differs = (abs(pixels(frame.png) - fresh).max(axis=2) > 32).mean()
        assert differs < 0.005, (value, differs)


def test_a_frame_is_drawn_once():
    scene, values, moves = SCENES["retrieval"][0](), SCENES["retrieval"][1], []
    watched = replace(scene, move=lambda value: moves.append(value) or scene.move(value))
    assert len(list(scenes.frames(watched, values))) == len(values) and sorted(moves) == sorted(values)


def test_the_colours_are_those_of_fifteen_frames_from_the_first_to_the_last_and_the_scene_can_be_drawn_again(monkeypatch):
    seen, rhos = [], [round(x, 2) for x in np.linspace(-0.3, 0.9, 60)]
    monkeypatch.setattr(scenes, "palette", lambda pixels: seen.append(pixels) or made.palette(pixels))
    scene, moves = scenes.crosstalk(4, 0.9), []
    watched = replace(scene, move=lambda rho: moves.append(rho) or scene.move(rho))
    shown = scenes.frames(watched, rhos)
    frame = next(shown)
    assert moves == [rhos[k] for k in np.linspace(0, 59, 15).astype(int)]
    assert [pixels.shape for pixels in seen] == [(15 * -(-frame.height // 3), -(-frame.width // 3), 4)]
    shown.close()  # as where a reader interrupts it
    assert {artist.get_animated() for artist in scene.moving} == {False}


def test_frames_between_have_colours_of_their_own():
    maps = {round(x, 2): np.full((13, 13), x) for x in np.linspace(0.04, 1, 25)}
    wanted = 255 * mpl.colormaps[figures.PROBABILITY](list(maps))[:, :3]
    step = abs(np.diff(wanted, axis=0)).max()  # 255 colours serve all frames: a cell may take the next frame's, none further
    scene = scenes.matrices(maps, what="w", finding=lambda x, M: f"{x}")
    for colour, frame in zip(wanted, scenes.frames(scene, list(maps))):
        assert abs(pixels(frame.png)[200, 400] - colour).max() <= step


def test_a_still_picture_is_packed_closer_than_a_frame_and_shows_the_same():
    canvas = FigureCanvasAgg(mpl.figure.Figure(figsize=(4, 3)))
    canvas.figure.subplots().imshow(HEAD.weights)
    canvas.draw()
    seen = np.asarray(canvas.buffer_rgba())
    still, frame = made.encode(seen), made.encode(seen, made.palette(seen))
    assert len(still) < len(frame) and (pixels(still) == pixels(frame)).all()


def test_a_heat_map_has_the_very_tints_of_its_colour_map():
    picture, figure = drawn("heatmap, without numbers")
    image = figure.axes[0].images[0]
    tints = {tuple(tint) for tint in image.cmap(image.norm(R.X), bytes=True)[..., :3].reshape(-1, 3)}
    assert len(tints) > 50 and tints <= set(map(tuple, pixels(picture.png).reshape(-1, 3)))


def test_a_picture_is_compared_by_all_it_shows():
    picture, _ = drawn("bars")
    assert picture != replace(picture, fingerprint="0") and picture != replace(picture, png=b"")


def test_framed_cells_are_those_of_the_matrix_given(seen):
    cells = adjacency("authored")
    picture = figures.heatmaps(
        {"a": HEAD.weights, "b": HEAD.weights}, ENTITIES, ENTITIES, title="t", what="w", outlined={"true objects": cells}
    )
    for ax in seen[0].axes[:2]:
        framed = {(round(p.get_y() + 0.5), round(p.get_x() + 0.5)) for p in ax.patches}
        assert framed == {tuple(ij) for ij in np.argwhere(cells)}
    assert f"Framed: true objects, {cells.sum()} cells." in picture.caption


def test_what_is_framed_is_told_one_after_the_other_and_the_frames_are_empty():
    ax = mpl.figure.Figure().subplots()
    framed, words = figures.outline(ax, {"these": np.eye(2, dtype=bool), "those": np.array([[True, False], [False, False]])})
    assert words == " Framed: these, 2 cells. Framed: those, 1 cells." and len(framed) == 3
    assert {frame.get_fill() for frame in framed} == {False}
    assert figures.outline(ax, None) == ([], "")


def test_names_of_columns_are_turned_where_they_would_not_fit_and_numbers_do_not_ask_for_room():
    for length, turned in ((30, 0), (31, 90)):
        ax = mpl.figure.Figure().subplots()
        _, cells = figures.draw_map(ax, np.eye(2), ["a", "b"], ["x", "y" * (length - 1)], (0, 1), False, 1)
        assert {tick.get_rotation() for tick in ax.get_xticklabels()} == {turned}
        assert {cell.get_in_layout() for cell in cells} == {False}


def test_one_map_is_as_wide_as_its_columns_need_and_several_share_the_page():
    widths = [
        figures.heatmaps({"a": np.eye(2, n), **more}, ["x", "y"], list("abcdef"[:n]), title="t", what="w").width
        for n, more in ((5, {}), (6, {}), (5, {"b": np.eye(2, 5)}))
    ]
    assert widths == [640, 920, 1160]


@pytest.mark.parametrize(
    "series, names, turned",
    [("ab", "abcdefgh", 0), ("ab", "abcdefghi", 90), ("a", "abcdefghijklmnop", 0), ("a", "abcdefghijklmnopq", 90)],
)
def test_numbers_above_more_than_sixteen_bars_are_turned(seen, series, names, turned):
    figures.bars(dict.fromkeys(series, np.linspace(0.1, 0.9, len(names))), names, title="t")
    texts = [text for text in seen[0].axes[0].texts if text.get_text()]
    assert len(texts) == len(series) * len(names) and {text.get_rotation() for text in texts} == {turned}


def test_up_to_eight_sizes_are_named_on_a_logarithmic_axis():
    for n, named in ((8, True), (9, False)):
        x = 3.0 ** np.arange(n)
        assert (f"{n} from 1 to {x[-1]:.0f}." in figures.lines(x, {"a": x}, title="t", across="x", what="y", log="x").alt) is named


def test_a_missing_entry_is_no_zero_to_the_mark():
    marks = set()
    for missing in (0.0, np.nan):
        figure = mpl.figure.Figure()
        figure.subplots().imshow([[1.0, missing]], vmin=0, vmax=1)
        marks.add(made.fingerprint(figure))
    assert len(marks) == 2


def test_a_ridge_has_its_own_curve_or_the_normal_one_and_marks_the_derived_spread(seen):
    draws = {"a": np.array([-2.0, 0.0, 2.0]), "b": np.array([-3.0, 0.0, 1.0])}
    picture = figures.ridges(draws, {"a": 2.0, "b": 4.0}, title="t", across=("x", "y"), curves={"b": lambda x: 0 * x})
    left, right = ({line.get_label(): line for line in ax.lines if line.get_label() != "_spread"} for ax in seen[0].axes)
    for panel in (left, right):
        assert max(panel["_a"].get_ydata()) == pytest.approx(1.8 / np.sqrt(2 * np.pi)) and set(panel["_b"].get_ydata()) == {-1.0}
    marks = [[list(line.get_xdata()) for line in ax.lines if line.get_label() == "_spread"] for ax in seen[0].axes]
    assert marks == [[[-2, -4], [2, 4]], [[-1, -1], [1, 1]]]
    assert "a 1.633 (2), b 1.700 (4)" in picture.caption


@pytest.mark.parametrize("which", range(3))
def test_the_colours_of_a_soft_dictionary_reach_as_far_as_its_largest_entry(seen, which):
    q, K, V = np.ones(2), np.eye(2), np.full((2, 2), -1.0)
    (q, K, V)[which].flat[0] = 4
    figures.soft_dictionary(q, K, V, np.array([0.3, 0.7]), np.array([-1.0, 1.0]), ["a", "b"])
    drawn = [patch.get_facecolor() for patch in seen[0].axes[0].patches]
    assert {line.get_solid_capstyle() for line in seen[0].axes[0].lines if line.get_zorder() == 0} == {"butt"}  # ends at its cell
    entries = np.concatenate([q, [-1, 1], K[0], V[0], K[1], V[1]])
    np.testing.assert_allclose(drawn, mpl.colormaps[figures.SIGNED]((entries / 4 + 1) / 2))


def test_axes_carry_the_names_they_were_given():
    picture = figures.heatmap(
        np.arange(6.0).reshape(2, 3), ["r0", "r1"], ["c0", "c1", "c2"], title="t", what="w", across="columns here", down="rows here"
    )
    assert "Horizontal axis columns here: c0, c1, c2." in picture.alt and "Vertical axis rows here: r0, r1." in picture.alt
    assert "largest 5 at row r1, column c2; smallest 0 at row r0, column c0." in picture.alt
    assert (
        "From top to bottom: rows here; from left to right: columns here" in picture.caption
        and "row r1, column c2" in picture.caption
    )


def test_captions_follow_the_data():
    one, other = (figures.bars({"a": np.array(a)}, ["x", "y"], title="t").caption for a in ([0.2, 0.8], [0.7, 0.3]))
    assert (
        "the largest is 0.8000, at y, and the smallest 0.2000, at x" in one
        and "is 0.7000, at x, and the smallest 0.3000, at y" in other
    )
    values = figures.weighted_values(np.array([0.1, 0.9]), np.array([[9.0, 0.0], [0.5, 0.0]]), ["x", "y"], "z")
    assert "The longest part comes from x, with weight 0.1000" in values.caption


@pytest.mark.parametrize("name", ENTITIES)
def test_the_finding_about_a_query_names_its_largest_weight(name):
    row = HEAD.weights[ENTITIES.index(name)]
    finding = scenes.query_row(HEAD.weights, HEAD.output).move(name)
    assert f"attends most to {ENTITIES[row.argmax()]}, with weight {row.max():.4f}" in finding


@pytest.mark.parametrize(
    "y, course",
    [
        ([1.0, 1.0, 1.0], "a: level at 1."),
        ([0.0, 1.0, 3.0], "a: rising from 0 at 0 to 3 at 2."),
        ([3.0, 1.0, 1.0], "a: falling from 3 at 0 to 1 at 2."),
        ([0.0, 3.0, 1.0], "a: from 0 at 0 to 1 at 2, highest at 1, with 3."),
        ([2.0, 0.0, 1.0], "a: from 2 at 0 to 1 at 2, lowest at 1, with 0."),
    ],
)
def test_the_caption_says_how_a_curve_runs(y, course):
    picture = figures.lines(np.arange(3.0), {"a": np.array(y)}, title="t", across="x", what="y")
    assert picture.caption == f"From left to right: x; upwards: y. {course}"


def test_a_number_of_zero_stands_above_its_bar():
    O = np.full((13, 2), -1.0)
    O[:, 0] = 0
    scene = scenes.query_row(HEAD.weights, O)
    scene.move("bob")
    zero, below = [label for label in scene.figure.axes[1].texts if label.get_text()]
    assert zero.get_position()[1] > 0 and below.get_position()[1] < -1


def test_each_row_has_its_largest_weight_written_where_it_stands_and_an_empty_row_none():
    M = np.eye(13)[::-1] * np.linspace(0, 1, 13)[:, None]
    scene = scenes.matrices({"a": M, "b": np.eye(13)}, what="w", finding=lambda name, M: name)
    scene.move("b")
    scene.move("a")
    texts = scene.figure.axes[0].texts
    assert [text.get_text() for text in texts] == ["", *(f"{x:.2f}" for x in np.linspace(0, 1, 13)[1:])]
    assert [text.get_position() for text in texts][1:] == [(12 - i, i) for i in range(1, 13)]


def test_a_picture_is_shown_with_its_words_and_then_with_its_caption(monkeypatch):
    shown = []
    monkeypatch.setattr(made, "display", lambda data, **how: shown.append((data, how)))
    made.Picture(b"png", 20, 10, "alt", "caption", "fingerprint")._ipython_display_()
    assert shown == [
        (
            {"image/png": b"png", "text/plain": "alt [fingerprint]"},
            {"raw": True, "metadata": {"image/png": {"alt": "alt", "width": 20, "height": 10}}},
        ),
        ({"text/markdown": "*Figure.* caption", "text/plain": "caption"}, {"raw": True}),
    ]


def test_a_number_is_read_with_four_digits_and_rounding_noise_as_zero():
    assert [made.four_digits(x) for x in (0.0, -1e-10, 1e-9, 123456.0, -0.123456, 2.0)] == [
        "0",
        "0",
        "1e-09",
        "1.235e+05",
        "-0.1235",
        "2",
    ]


def test_the_peak_is_the_first_of_equals_and_no_nan():
    assert made.first_largest(np.array([np.nan, 1, 3, 3])) == 2 and made.first_largest(np.array([[1, 2], [3, 0]])) == 2
    assert made.first_largest(np.array([1 - 1e-10, 1])) == 0 and made.first_largest(np.array([1 - 1e-8, 1])) == 1
    assert made.first_largest(np.array([-1 - 1e-10, -1])) == 0 and made.first_largest(np.array([-1 - 1e-8, -1])) == 1


def test_limits_of_nothing_but_zeros_are_one_apart():
    assert figures.shared_limits(False, np.zeros(2)) == (0.0, 1.0) and figures.shared_limits(True, np.zeros(2)) == (-1.0, 1.0)
    assert figures.shared_limits(True, np.array([-2.0]), np.array([1.0])) == (-2.0, 2.0)


def test_ink_is_black_or_white_by_the_contrast_that_wcag_measures():
    greys = np.linspace(0, 1, 256)[:, None] * np.ones(3)
    level = np.where(greys[:, 0] <= 0.04045, greys[:, 0] / 12.92, ((greys[:, 0] + 0.055) / 1.055) ** 2.4)
    better = (level + 0.05) / 0.05 > 1.05 / (level + 0.05)
    assert ((figures.stands_out(greys) == "black") == better).all()
    for luminance, ink in ((0.179 - 2e-5, "white"), (0.179 + 5e-5, "black")):  # where a dark channel decides
        red = 1.055 * ((luminance - 0.7152 * 0.03 / 12.92 - 0.0722) / 0.2126) ** (1 / 2.4) - 0.055
        assert figures.stands_out(np.array([red, 0.03, 1.0])) == ink
    one = np.eye(3)
    assert figures.stands_out(one).tolist() == ["black", "black", "white"]  # red just so, green clearly; blue is dark
    assert figures.stands_out(np.array([0.9, 0.9, 0.9, 0.0])) == "black" and figures.stands_out(
        np.array([[0.0, 0, 0, 1]])
    ).tolist() == ["white"]


def test_axes_without_words_are_described_by_their_numbers():
    figure = mpl.figure.Figure()
    axes = figure.subplots(2, 3).ravel()
    axes[0].imshow([[1.0, 5.0], [0.5, 2.0]], cmap="Greys")
    axes[0].set_title("two\nlines", loc="left")
    axes[0].set_xlabel("across\nit")
    axes[1].barh(range(14), np.arange(14.0))
    axes[1].set_yticks(range(14), list("abcdefghijklmn"))
    axes[2].bar(range(2), [3.0, 4.0], label="some")
    axes[3].plot([1, 10], [2, 200], label="a curve")
    axes[3].plot([1, 10], [3, 300], label="_left out")
    axes[3].set(xscale="log", xlabel="x", xlim=(10, 1))
    axes[4].barh(range(2), [3.0, 4.0])
    axes[4].set_yticks(range(2), ["u", "v"])
    axes[5].set_xticks(range(6), list("abcdef"))
    axes[5].set_yticks(range(5), list("vwxyz"))
    assert made.describe(figure) == (
        "Heat map: two lines. Horizontal axis across it: -0.5 to 1.5.  Colour map Greys from 0.5 to 5; largest 5 at row 0, column 1; "
        "smallest 0.5 at row 1, column 0. "
        "Bar chart.  Vertical axis: 14 from a to n. 14 bars, the largest 13. "
        "Bar chart.   some: 2 bars, the largest 4. "
        "Line plot. Horizontal axis x: 1 to 10, logarithmic.  a curve: 2 points from (1, 2) to (10, 200), highest 200 at 10. "
        "Bar chart.  Vertical axis: u, v. u 3, v 4. "
        "Drawing. Horizontal axis: 6 from a to f. Vertical axis: v, w, x, y, z."
    )


def test_orange_is_positive_and_purple_negative():
    low, high = (mpl.colormaps[figures.SIGNED](x) for x in (0.1, 0.9))
    assert high[0] > high[2] and low[2] > low[0]


def test_a_legend_shows_the_colour_of_its_curve():
    for name in ("lines", "bars"):
        figure = drawn(name)[1]
        legend = figure.axes[0].get_legend()
        curves = dict(zip(*reversed(figure.axes[0].get_legend_handles_labels())))
        for text, handle in zip(legend.get_texts(), legend.legend_handles):
            artist = curves[text.get_text()]
            artist = artist[0] if hasattr(artist, "__getitem__") else artist
            assert made._look(handle) == made._look(artist)


def test_of_peaks_that_are_equal_but_for_rounding_the_first_is_named():
    x, y = np.linspace(0, 360, 5), np.array([0.5, 0.1, 0.2, 0.1, 0.5])
    words = {figures.lines(x, {"a": y + [0, 0, 0, 0, noise]}, title="t", across="x", what="y").alt for noise in (0, 1e-16, -1e-16)}
    assert len(words) == 1 and "highest 0.5 at 0." in words.pop()


def test_the_blank_ticks_of_a_colour_bar_count_as_one():
    figure = mpl.figure.Figure()
    ax = figure.subplots()
    ax.set_xticks([0, 1], ["", ""])
    assert made.names_of(ax.xaxis) == [""]
    ax.set_xticks([0, 1], ["a", ""])
    assert made.names_of(ax.xaxis) == ["a", ""]


def test_the_caption_and_the_map_name_the_first_of_equal_peaks_too():
    M = np.full((2, 2), 0.25)
    for noise in (0, 1e-16, -1e-16):
        picture = figures.heatmap(M + [[0, 0], [0, noise]], ["a", "b"], ["c", "d"], title="t", what="w")
        assert "row a, column c" in picture.caption and "largest 0.25 at row a, column c" in picture.alt
        assert "smallest 0.25 at row a, column c" in picture.alt


if __name__ == "__main__":
    WRITTEN.renew()
