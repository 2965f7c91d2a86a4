"""The language of the formulas, by small examples whose answers are known, and by every word it says of what it cannot read."""

import numpy as np
import pytest

from tools.formulas.latex import Parser
from tools.formulas.scope import Function, Random, Row, Scope
from tools.formulas.source import dollars, split
from tools.formulas.values import FormulaError

A = np.array([[1.0, 2, 3], [4, 5, 7]])
B = np.array([[2.0, 1], [0, 3], [5, 1]])
SQUARE = np.array([[2.0, 1], [1, 3]])
U, V = np.array([1.0, 2, 4]), np.array([3.0, 5, 6])
NAMES = {
    "A": A,
    "B": B,
    "S": SQUARE,
    "u": U,
    "v": V,
    "w": np.array([1.0, 2]),
    "x": 3.0,
    "y": 5.0,
    "n": 3,
    "t": 2,
    "d_k": 4,
    "I": np.eye(2),
    "f": Function(lambda z: z**2),
    "c": 2.0,
    "e": np.eye(3),
    "pi": Function(lambda j: [2, 3, 1][int(j) - 1]),
    "N": Function(lambda i: np.array([True, False, True])),
    "bold p": np.array([0.2, 0.3]),
    "p": 0.5,
    "row": 1,
    "O^()": np.array([SQUARE, 2 * SQUARE]),
    "r": Row(A),
    "W": B,
    "u'": 7.0,
    "hat a": np.array([8.0, 9]),
}


def value(text, **names):
    parser = Parser(text, Scope({**NAMES, **names}))
    side = parser.expression()
    assert not parser.peek(), parser.words[parser.at :]
    return side(Scope({**NAMES, **names}))


KNOWN = {
    # numbers and precedence
    "2 + 3 x": 11,
    "-x^2": -9,
    "2 - 3 - 4": -5,
    "x y/5": 3,
    "c^2/2x": 4 / 6,
    r"c^2/2 \cdot x": 6,
    r"\frac12": 0.5,
    r"\frac{x}{y}": 0.6,
    "x^2y": 45,
    r"2{,}000": 2000,
    "0.5 x": 1.5,
    r"\sqrt{x + 1}": 2,
    r"\sqrt 4": 2,
    "(x + 1)(y - 1)": 16,
    "5!": 120,
    "7!!": 105,
    "(2c - 1)!!": 3,
    "(-1)!!": 1,
    r"e^{0}": 1,
    r"\ln e^x": 3,
    r"\ln(x) \cdot 0": 0,
    r"\exp(0)": 1,
    r"e^{-\infty}": 0,
    r"7 \bmod 3": 1,
    r"\max(x, y)": 5,
    "d_k": 4,
    r"\left(x\right)": 3,
    r"\big(x\,\big)": 3,
    "u'": 7,
    r"e^{\mathrm{i} \cdot 0}": 1,
    # indices, sums, products
    "u_2": 2,
    "A_{23}": 7,
    "A_{2,3}": 7,
    "A_{t3}": 7,
    r"\sum_i u_i": 7,
    r"\sum_{i=1}^n u_i v_i": 37,
    r"\sum_{i=2}^3 u_i": 6,
    r"\sum_{ij} A_{ij}": 22,
    r"\sum_i u_i + 1": 8,
    r"\sum_i u_i v_i": 37,
    r"\prod_i u_i": 8,
    r"\max_i u_i": 4,
    r"\sum_{i \ne 2} u_i": 5,
    r"\sum_{j \in \mathcal{N}(1)} u_j": 5,
    r"\max_{j \in N(1)} u_j": 4,
    r"\sum_j u_{\pi(j)} v_j": 2 * 3 + 4 * 5 + 1 * 6,
    "u_{t+1}": 4,
    "u_{t+2}": 1,
    r"\hat a_2": 9,
    "O^{(2)}_{12}": 2,
    "(A B)_{11}": 17,
    r"\sum_i \sum_j A_{ij} w_i": 38,
    # vectors and matrices
    r"\mathbf{u}\cdot\mathbf{v}": 37,
    r"\mathbf{u}^\top\mathbf{v}": 37,
    r"\lVert\mathbf{w}\rVert^2": 5,
    r"\mathrm{tr}(S)": 5,
    r"\mathrm{tr} I": 2,
    r"\operatorname{tr}(S)": 5,
    r"\lVert I\rVert_2": 1,
    r"\mathbf{w}^\top S \mathbf{w}": 18,
    r"\mathbf{p}\cdot\mathbf{p}": 0.13,
    "p": 0.5,
    r"\mathbf{u}\cdot\mathbf{e}_2": 2,
    # functions and derivatives
    "f(x)": 9,
    "f(x + 1) - 1": 15,
    r"\cos(\mathbf{u}, \mathbf{u})": 1,
    r"\frac{\partial f}{\partial z}": 6,
    r"\partial f/\partial z": 6,
}


@pytest.mark.parametrize("text", KNOWN)
def test_a_number_is_what_it_is_known_to_be(text):
    found = value(text, z=3.0)
    assert (found.rank, found.names) == (0, ())
    assert found.data == pytest.approx(KNOWN[text], abs=1e-8)


ARRAYS = {
    r"A \mathbf{v}": A @ V,
    "A B": A @ B,
    r"A^\top": A.T,
    r"\mathbf{u}\mathbf{v}^\top": np.outer(U, V),
    r"\mathrm{diag}(\mathbf{w})": np.diag([1, 2]),
    r"\mathbf{u}^\top B": U @ B,
    r"\mathbf{u} \circledast \mathbf{v}": [3 + 12 + 20, 5 + 6 + 24, 6 + 10 + 12],
    r"2 \mathbf{u} - \mathbf{v}": 2 * U - V,
    r"\mathbf{u}/c": U / 2,
    r"[S \Vert I]": [[2, 1, 1, 0], [1, 3, 0, 1]],
    r"[S, I, S]": [[2, 1, 1, 0, 2, 1], [1, 3, 0, 1, 1, 3]],
    r"\mathrm{softmax}(0 \mathbf{u})": [1 / 3] * 3,
    r"\nabla_{\mathbf{u}} L": 2 * U,
    r"\mathrm{softmax}(0 A)": np.full((2, 3), 1 / 3),
    r"\frac{\partial \mathbf{g}}{\partial \mathbf{u}}": A,
    r"\mathrm{diag}(w_i^2)": np.diag([1, 4]),
    r"\underset{2 \times 3}{A}": A,
    r"\sum_i u_i \mathbf{v}": 7 * V,
    r"\mathbf{r}_2 W": A[1] @ B,
}


@pytest.mark.parametrize("text", ARRAYS)
def test_an_array_is_what_it_is_known_to_be(text):
    found = value(text, L=lambda u: u @ u, g=lambda u: A @ u)
    assert found.names == ()
    assert found.data == pytest.approx(np.array(ARRAYS[text]), abs=1e-8)


def test_a_free_index_runs_along_its_axis():
    found = value("A_{ij} u_j")
    assert (found.names, found.data.tolist()) == (("i", "j"), (A * U).tolist())
    assert value("S_{ii}").data.tolist() == [2, 3]
    assert value(r"x \pm 1").data.tolist() == [4, 2]
    assert np.isnan(value(r"u_{j \ne 2}").data).tolist() == [False, True, False]


def test_a_case_holds_where_its_condition_does():
    found = value(r"u_i + \begin{cases} 1 & i = 2\\ 0 & i \ne 2 \end{cases}", ranges={"i": 3})
    assert found.data.tolist() == [1, 3, 4]


def test_means_and_variances_are_exact_over_the_law():
    dice = {"X": Random(np.arange(1.0, 7)), "Y": Random(np.ones(6)), "law": np.full(6, 1 / 6)}
    assert value(r"\mathbb{E}[X]", **dice).data == pytest.approx(3.5)
    assert value(r"\mathrm{Var}(X)", **dice).data == pytest.approx(35 / 12)
    assert value(r"\mathrm{Cov}(X, X + Y)", **dice).data == pytest.approx(35 / 12)
    assert value(r"\mathbb{E}[x]", **dice).data == 3


def test_an_index_may_go_round_in_a_circle_from_0():
    turned = value("u_{-i}", base=0)
    assert turned.data.tolist() == [1, 4, 2]
    assert value(r"u_{(i + 1) \bmod n}", base=0).data.tolist() == [2, 4, 1]


WRONG = {
    r"\mathbf{u} \mathbf{v}": "is a transpose or a dot missing?",
    r"A \mathbf{w}": "a matrix (2, 3) does not fit a vector (2,)",
    r"S \cdot S": "a dot stands between a matrix and a matrix",
    r"\mathbf{u} + x": "a vector (3,) and a number () cannot be added",
    r"\mathbf{u} + \mathbf{w}": "cannot be added or compared",
    r"x^\top": "a number is transposed",
    r"x^{S}": "a matrix stands in a power",
    r"x/\mathbf{u}": "stands below a fraction bar",
    r"u_i w_i": "the index i runs over 2 here and over 3 there",
    "u_4": "an index leaves its range",
    r"\sum_{i=0}^2 u_i": "an index leaves its range",
    "x_1": "a number has the index 1",
    r"\lVert S\rVert": "the norm of a matrix is written otherwise",
    r"\lVert S\rVert_3": "the only index of a norm is 2",
    "u + x": "u is a vector; written like this it is a number",
    r"\mathbf{x}": "is a number; written like this it is a vector",
    r"\mathrm{tr}(A)": "the trace of a matrix of shape (2, 3)",
    r"\mathrm{diag}(S)": "diag of a matrix",
    "q_1": "nothing is bound to q",
    "k": "nothing is bound to k, and it is no index",
    r"\sum_k x": "nothing is bound to k",
    r"\foo x": r"does not know '\\foo'",
    "(x": "expected ) at ''",
    "x +": "expected more at ''",
    r"\frac{x}": "expected more",
    r"\mathbf{u} \circledast \mathbf{w}": "needs two vectors of one width",
    r"\begin{cases} 1 \end{cases}": "a case needs a condition",
    r"\bar{\mathbf{k} x}": "one name is expected in the braces",
    r"u_i + \begin{cases} 1 & i = 2\\ 0 & i = 1 \end{cases}": "the conditions of the cases overlap or leave something out",
    r"x ) y": "did not understand",
    r"\sum_{i=1} u_i": "a sum from i = 1 on needs an end",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_read_says_why(text):
    with pytest.raises(FormulaError) as wrong:
        parser = Parser(text, Scope(NAMES))
        side = parser.expression()
        if parser.peek():
            raise FormulaError(f"did not understand {parser.words[parser.at :]}")
        side(Scope(NAMES, ranges={"i": 3}))
    assert WRONG[text].replace("\\\\", "\\") in str(wrong.value).replace("\\\\", "\\")


# Statements ----------------------------------------------------------------------------------------------------------


def test_a_formula_is_cut_at_commas_words_and_wide_spaces():
    assert split(r"a = f(1, 2), \qquad b = c \text{ where } d = 4") == ["a = f(1, 2)", "b = c", "d = 4"]
    assert split(r"O_{\text{multi}} = 1 \quad (4 \text{ numbers, as } d = 4),") == [r"O_{\text{multi}} = 1", "d = 4"]
    assert split("a + b") == []
    assert split(r"\sum_{j \in B} x") == []


def test_the_rows_of_an_aligned_formula_go_on_and_its_comments_count():
    rows = r"\begin{aligned} a &= b && \text{as } c = 1 \\ &= d \end{aligned}"
    assert split(rows) == ["a = b = d", "c = 1"]


def test_formulas_stand_between_dollars_and_not_in_code():
    assert dollars("not `$x = 1$`, but $y = 2$ and $$z\n= 3$$") == [(False, "y = 2"), (True, "z = 3")]
    assert dollars(r"$\operatorname{tr} I = 2$") == [(False, r"\mathrm{tr} I = 2")]
