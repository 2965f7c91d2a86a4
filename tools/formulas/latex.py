"""Read the chapter's LaTeX: a statement becomes sides and relations, each side a function of a scope.

A hand-written precedence parser, since what a formula means depends on what its names stand for: f(z + h) is a call where
f is bound to a `Function` and a product elsewhere; d_k is one name where it is bound, and entry k of d elsewhere. The rules:

* Factors side by side multiply by their shapes. `/` divides by all factors that follow it side by side, so that
  c^2/2d is c^2/(2d); a centred dot, + and - end it. A sum reaches to the next + or -.
* Indices count from 1 (from `base`); a free index runs along the axis where it stands. An index that is computed goes
  round in a circle, as the book says where it uses one.
* Bold is a vector; a plain small letter is a number once it has its indices.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import e, pi, prod

import numpy as np

from tools.formulas.functions import COMPARE, FUNCTIONS, modulo, select, select_all
from tools.formulas.scope import Function, Scope, Side
from tools.formulas.values import (
    FormulaError,
    Value,
    add,
    convolve,
    divide,
    dot,
    entrywise,
    join,
    norm,
    number,
    power,
    product,
    reduced,
    scale,
    take,
    together,
    transpose,
)

RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    "\\le": "<=",
    "\\ge": ">=",
    "\\ne": "!=",
    "\\approx": "~",
    "\\to": "->",
    "\\propto": "prop",
}
PRODUCTS = {"\\cdot": dot, "\\times": product, "\\circledast": convolve, "/": divide, "\\bmod": modulo}
ENDS = {*RELATIONS, *PRODUCTS, *"+-)]},;&|", "\\pm", "\\rVert", "\\Vert", "\\\\", "\\end"}  # of factors side by side
SPACES = r"\\(?:left|right|[bB]ig[lr]?|textstyle|displaystyle|q?quad)(?![a-zA-Z])|(?<!\\)\\[!,;: ]|~"
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\S")
FONTS = {"\\mathbf", "\\boldsymbol"}
UPRIGHT = {"\\mathrm", "\\operatorname", "\\mathbb"}
ACCENTS = {"\\bar", "\\hat", "\\tilde", "\\Delta"}
NAMES = {
    "\\alpha",
    "\\beta",
    "\\delta",
    "\\eta",
    "\\lambda",
    "\\mu",
    "\\omega",
    "\\pi",
    "\\rho",
    "\\sigma",
    "\\tau",
    "\\varepsilon",
}
STEP = 1e-5  # of central differences: notebook 05 finds it the best


def tokens(text: str) -> list[str]:
    """The words of a formula without its spacing; the digits of a number one by one, as TeX takes them."""
    return TOKEN.findall(re.sub(SPACES, " ", text.replace("{,}", "")))


def letters_only(words: list[str]) -> bool:
    return bool(words) and all(re.fullmatch(r"[a-zA-Z0-9']", word) or word in NAMES for word in words)


class Parser:
    """One statement on its way from words to sides."""

    def __init__(self, text: str, scope: Scope):
        self.words, self.at, self.scope = tokens(text), 0, scope
        self.inner: list[tuple[Side, Side]] = []  # equations inside the cases of a side
        self.order: tuple[str, int] | None = None  # h and k of an O(h^k)
        self.conditional = False  # whether an index carries a condition of its own
        self.shapes: list[tuple[Side, Side, Side]] = []

    # words

    def peek(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def next(self, wanted: str = "") -> str:
        word = self.peek()
        if not word or (wanted and word != wanted):
            raise FormulaError(f"expected {wanted or 'more'} at {' '.join(self.words[self.at :])!r}")
        self.at += 1
        return word

    def skip(self, word: str) -> bool:
        """Pass over this word if it comes next, and say whether it did."""
        found = self.peek() == word
        self.at += found
        return found

    def group(self) -> list[str]:
        """The words of a {group}, or the one word that stands for it."""
        if not self.skip("{"):
            return [self.next()]
        start, depth = self.at, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self.next(), 0)
        return self.words[start : self.at - 1]

    def part(self, words: list[str], what: str = "expression"):
        """Some of the words read apart, with the same scope and notes."""
        parser = Parser("", self.scope)
        parser.words, parser.inner, parser.shapes = words, self.inner, self.shapes
        found = getattr(parser, what)()
        if parser.peek():
            raise FormulaError(f"did not understand {' '.join(words[parser.at :])!r}")
        self.order, self.conditional = self.order or parser.order, self.conditional or parser.conditional
        return found

    # from statements down to factors

    def chain(self) -> list[tuple[str, Side, str]]:
        """The sides of a statement, each with the relation before it and its words."""
        sides = []
        relation = "="
        while True:
            start = self.at
            side = self.expression()
            sides.append((relation, side, " ".join(self.words[start : self.at])))
            if self.peek() not in RELATIONS:
                return sides
            relation = RELATIONS[self.next()]

    def expression(self) -> Side:
        side = self.signed()
        while self.peek() in ("+", "-", "\\pm"):
            side = self.combine(add, side, self.signed())
        return side

    def signed(self) -> Side:
        sign = self.next() if self.peek() in ("+", "-", "\\pm") else "+"
        term = self.term()
        if sign == "+":
            return term
        signs = number(-1) if sign == "-" else Value(np.array([1, -1]), 0, ("the sign",))
        return lambda s: scale(signs, term(s))

    def term(self) -> Side:
        side = self.run()
        while self.peek() in PRODUCTS:
            side = self.combine(PRODUCTS[self.next()], side, self.run())
        return side

    @staticmethod
    def combine(rule: Callable, a: Side, b: Side) -> Side:
        return lambda s: rule(a(s), b(s))

    def run(self) -> Side:
        """Factors side by side."""
        side = self.factor()
        while self.peek() and self.peek() not in ENDS:
            side = self.combine(product, side, self.factor())
        return side

    def factor(self) -> Side:
        side = self.atom()
        while True:
            if self.peek() == "!":
                side = self.factorial(side)
            elif self.skip("'"):
                side = self.derivative(side, self.scope.names.get("prime", "prime"), [])
            elif self.skip("_"):
                side = self.indexed(side, [self.group()])
            elif self.skip("^"):
                words = self.group()
                side = self.turned(side) if words == ["\\top"] else self.combine(power, side, self.part(words))
            else:
                return side

    @staticmethod
    def turned(side: Side) -> Side:
        return lambda s: transpose(side(s))

    def factorial(self, side: Side) -> Side:
        step = 0
        while self.skip("!"):
            step += 1
        product_of = np.vectorize(lambda n: float(prod(range(int(n), 0, -step))))
        return lambda s: entrywise(product_of, side(s))

    # atoms

    def atom(self) -> Side:
        word = self.peek()
        if word.isdigit():
            return self.digits()
        if word in BRACKETS:
            return self.bracketed()
        special = getattr(self, SPECIAL.get(word, ""), None)
        if special:
            self.next()
            return special()
        upright = "".join(self.words[self.at + 2 :]).split("}")[0] if word in UPRIGHT else ""
        return self.function() if word in FUNCTIONS or upright in (*FUNCTIONS, "i") else self.name()

    def digits(self) -> Side:
        text = self.next()
        while self.peek().isdigit() or (self.peek() == "." and "".join(self.words[self.at + 1 : self.at + 2]).isdigit()):
            text += self.next()
        value = number(float(text) if "." in text else int(text))
        return lambda s: value

    def bracketed(self) -> Side:
        opening = self.next()
        side = self.expression()
        while opening == "[" and (self.skip("\\Vert") or self.skip(",")):
            side = self.combine(join, side, self.expression())
        self.next(BRACKETS[opening])
        if opening != "\\lVert":
            return side
        spectral = self.skip("_")
        if spectral and self.group() != ["2"]:
            raise FormulaError("the only index of a norm is 2")
        return lambda s: norm(side(s), spectral)

    def braces(self) -> Side:
        self.at -= 1
        return self.part(self.group())

    def fraction(self) -> Side:
        top, bottom = self.group(), self.group()
        if top[:1] == ["\\partial"]:
            return self.quotient(self.part(top[1:]), bottom)
        return self.combine(divide, self.part(top), self.part(bottom))

    def root(self) -> Side:
        side = self.part(self.group())
        return lambda s: entrywise(np.sqrt, side(s))

    def infinity(self) -> Side:
        return lambda s: number(np.inf)

    def underset(self) -> Side:
        shape, words = self.group(), self.group()
        side = self.part(words)
        cut = shape.index("\\times")
        self.shapes.append((side, self.part(shape[:cut]), self.part(shape[cut + 1 :])))
        return side

    def cases(self) -> Side:
        """Each case holds where its condition does; an equation inside a case is checked as well."""
        self.group()
        cases = []
        while self.peek() != "\\end":
            start = self.at
            while self.peek() not in ("\\\\", "\\end"):
                self.next()
            words = self.words[start : self.at]
            self.skip("\\\\")
            if "&" not in words:
                raise FormulaError("a case needs a condition after &")
            cut = words.index("&")
            condition = self.part(words[cut + 1 :], "condition")
            first, *others = (self.combine(select, condition, side) for _, side, _ in self.part(words[:cut], "chain"))
            self.inner += [(other, first) for other in others]
            cases.append((condition, first))
        self.next("\\end")
        self.group()
        return lambda s: select_all([(condition(s), side(s)) for condition, side in cases])

    def condition(self) -> Side:
        """A chain of relations between indices or numbers, as a truth value for each."""
        sides = self.chain()
        if len(sides) != 2:
            raise FormulaError("a condition needs one relation")
        (_, a, _), (relation, b, _) = sides
        return lambda s: entrywise(COMPARE[relation], a(s), b(s))

    def partial(self) -> Side:
        """d f / d x in a line, with a slash."""
        side = self.factor()
        self.next("/")
        words = [self.next("\\partial")]
        start = self.at
        self.factor()
        return self.quotient(side, words + self.words[start : self.at])

    def quotient(self, side: Side, bottom: list[str]) -> Side:
        parser = Parser("", self.scope)
        parser.words = bottom
        parser.next("\\partial")
        name, _, subscripts = parser.spelled()
        return self.derivative(side, name, subscripts)

    def gradient(self) -> Side:
        self.next("_")
        parser = Parser("", self.scope)
        parser.words = self.group()
        name, _, _ = parser.spelled()
        return self.derivative(self.factor(), name, [])

    def derivative(self, side: Side, name: str, subscripts: list) -> Side:
        """By central differences: the input nudged in each of its entries, and all that is derived from it anew."""

        def slope(s: Scope) -> Value:
            x = s.value(name)
            slopes = []
            for place in np.ndindex(x.data.shape):
                step = np.zeros(x.data.shape)
                step[place] = STEP
                up, down = (side(s.inner(**{name: (x.data + sign * step)[()]})) for sign in (1, -1))
                slopes.append(entrywise(lambda a, b: (a - b) / (2 * STEP), up, down))
            names = slopes[0].names
            data = np.stack([one.data for one in slopes]).reshape(x.shape + slopes[0].data.shape)
            if not subscripts:  # the axes of what is derived come first: J_ij = d p_i / d z_j
                data = np.moveaxis(data, range(x.rank), range(slopes[0].rank, slopes[0].rank + x.rank))
            return Value(data, x.rank + slopes[0].rank, names)

        return self.indexed(slope, subscripts)

    def folded(self, f: Callable) -> Side:
        """A sum, a product or a maximum over indices: \\sum_{ij}, \\sum_{i=1}^n, \\sum_{j \\in B}."""
        below = self.group() if self.skip("_") else []
        if not below:
            return self.largest()
        kind = next((word for word in ("=", "\\in", "\\ne") if word in below), "")
        cut = below.index(kind) if kind else len(below)
        first = self.part(below[cut + 1 :]) if kind == "=" else None
        last = self.part(self.group()) if self.skip("^") else None
        if first and not last:
            raise FormulaError(f"a sum from {below[0]} = {' '.join(below[cut + 1 :])} on needs an end")
        only = {"\\in": self.members, "\\ne": self.others}.get(kind, lambda below, cut: None)(below, cut)
        body = self.term()

        def fold(s: Scope) -> Value:
            if first and last:
                s = s.within(below[0], np.arange(int(first(s).data), int(last(s).data) + 1))
            value = body(s)
            for index in below[:cut]:
                if index not in value.names:  # it counts nevertheless: a sum of ones
                    value = scale(entrywise(np.ones_like, s.index(index)), value)
                if only:
                    value = select(only(s.ranging({index: value.size(index)})), value, -np.inf if f is np.max else 0)
                value = reduced(f, value, index)
            return value

        return fold

    def members(self, below: list[str], cut: int) -> Side:
        """Which values of an index lie in a set: in B or N(i)."""
        inside = self.part(below[cut + 1 :])
        return lambda s: take(inside(s), s.inner(base=0).index(below[0]))

    def others(self, below: list[str], cut: int) -> Side:
        """Which values of an index differ from one."""
        return self.part(below, "condition")

    def sum(self) -> Side:
        return self.folded(np.sum)

    def product_over(self) -> Side:
        return self.folded(np.prod)

    def maximum(self) -> Side:
        return self.folded(np.max)

    def largest(self) -> Side:
        sides = self.arguments()
        return lambda s: entrywise(lambda *x: np.max(np.stack(np.broadcast_arrays(*x)), axis=0), *(side(s) for side in sides))

    def arguments(self) -> list[Side]:
        """(a, b), or the one factor that follows."""
        if self.peek() not in ("(", "["):
            return [self.factor()]
        closing = BRACKETS[self.next()]
        sides = [self.expression()]
        while self.skip(","):
            sides.append(self.expression())
        self.next(closing)
        return sides

    def function(self) -> Side:
        word = self.next()
        name = "".join(self.group()) if word in UPRIGHT else word
        if name == "i":
            return lambda s: number(1j)
        sides = self.arguments()
        return lambda s: FUNCTIONS[name](s, *(side(s) for side in sides))

    # names and indices

    def spelled(self) -> tuple[str, bool, list]:
        """A name as it is bound, whether it is bold, and the subscripts that are its indices."""
        accents, bold = "", False
        while True:
            word = self.next()
            if word in ACCENTS:
                accents += word[1:] + " "
                if self.skip("{"):
                    word, bold = self.inside_braces(bold)
                    break
            elif word in FONTS:
                bold = True
                if self.skip("{"):
                    word, bold = self.inside_braces(True)
                    break
            elif word == "\\mathcal":
                word = "".join(self.group())
                break
            else:
                break
        if word in NAMES:
            word = word[1:]
        elif not re.fullmatch(r"[a-zA-Z]", word):
            raise FormulaError(f"does not know {word!r} at {' '.join(self.words[self.at - 1 :])!r}")
        while self.peek().isalpha() and any((name + "_").startswith(word + self.peek() + "_") for name in self.scope.names):
            word += self.next()
        name, subscripts = accents + word, []
        if bold and f"bold {name}" in self.scope:  # where p alone is another thing
            name = f"bold {name}"
        while True:
            here = self.at
            if self.peek() == "'" and name + "'" in self.scope:
                name += self.next()
            elif self.skip("_"):
                words = self.group()
                label = re.sub(r"\\mathrm|\\text|[{}]", "", "".join(words))
                label = label.removeprefix("\\") if label in NAMES else label
                if not subscripts and (f"{name}_{label}" in self.scope or f"{name}_{label}^()" in self.scope):
                    name = f"{name}_{label}"
                else:
                    subscripts.append(words)
            elif self.skip("^"):
                words = self.group()
                label = re.sub(r"\\mathrm|\\text|[{}]", "", "".join(words))
                if f"{name}^{label}" in self.scope:
                    name = f"{name}^{label}"
                elif words[:1] == ["("] and f"{name}^()" in self.scope:
                    name = f"{name}^()"
                    subscripts.append(words[1:-1])
                else:
                    self.at = here
                    return name, bold, subscripts
            else:
                self.at = here
                return name, bold, subscripts

    def inside_braces(self, bold: bool) -> tuple[str, bool]:
        words = []
        depth = 1
        while depth:
            word = self.next()
            depth += {"{": 1, "}": -1}.get(word, 0)
            words.append(word)
        names = [word for word in words if word not in "{}" and word not in FONTS]
        if len(names) != 1:
            raise FormulaError(f"one name is expected in the braces, not {' '.join(names)!r}")
        return names[0], bold or bool(FONTS & set(words))

    def name(self) -> Side:
        start = self.at
        name, bold, subscripts = self.spelled()
        scope = self.scope
        if name == "e" and not bold and not subscripts:
            return lambda s: number(e)
        if name == "pi" and name not in scope:
            return lambda s: number(pi)
        if name == "O" and name not in scope and self.peek() == "(":
            return self.big_o()
        if isinstance(scope.names.get(name), Function) and self.peek() == "(":
            side = self.called(scope.names[name].call, self.arguments())
        elif name in scope:
            side = lambda s: s.value(name)
        elif not subscripts and not bold:
            return lambda s: s.index(name)
        else:
            raise FormulaError(f"nothing is bound to {name}")
        text = " ".join(self.words[start : self.at])
        small = re.fullmatch(r"(bar |hat |tilde |Delta )*([a-z]|alpha|beta|delta|eta|lambda|mu|rho|sigma|tau)(\W.*|_.*)?", name)
        return self.kept(self.indexed(side, subscripts), 1 if bold else 0 if small else None, text)

    @staticmethod
    def kept(side: Side, rank: int | None, text: str) -> Side:
        """The same, but an error where a bold name is no vector or a plain small letter no number."""

        def kept(s: Scope) -> Value:
            value = side(s)
            if rank is not None and value.rank != rank:
                raise FormulaError(f"{text} is {value.kind}; written like this it is {'a vector' if rank else 'a number'}")
            return value

        return kept

    def big_o(self) -> Side:
        """O(h^4): nothing, and a note that the rest must fall with this power of h."""
        self.next("(")
        name = self.next()
        self.next("^")
        self.order = name, int("".join(self.group()))
        self.next(")")
        return lambda s: number(0)

    @staticmethod
    def called(call: Callable, sides: list[Side]) -> Side:
        def value(s: Scope) -> Value:
            arguments = [side(s) for side in sides]
            names, arrays = together(*arguments)
            ranks = [argument.rank for argument in arguments]
            sizes = np.broadcast_shapes(*(a.shape[r:] for a, r in zip(arrays, ranks)))
            arrays = [np.broadcast_to(a, a.shape[:r] + sizes) for a, r in zip(arrays, ranks)]
            results = np.array([call(*(a[(..., *place)] for a in arrays)) for place in np.ndindex(*sizes)])
            data = np.moveaxis(results.reshape(sizes + results.shape[1:]), range(len(sizes)), range(-len(sizes), 0))
            return Value(data, results.ndim - 1, names)

        return value

    def indexed(self, side: Side, subscripts: list) -> Side:
        """A side with its subscripts, which take its axes one after the other."""
        for words in subscripts:
            for piece in self.pieces(words):
                side = self.entry(side, piece)
        return side

    def pieces(self, words: list[str]) -> list[list[str]]:
        """One subscript as the indices it holds: ij is two, (k + i) mod n is one, and so is a word bound to a number."""
        found, depth, piece = [], 0, []
        for word in words:
            depth += {"(": 1, ")": -1}.get(word, 0)
            if word == "," and not depth:
                found.append(piece)
                piece = []
            else:
                piece.append(word)
        found.append(piece)
        return [
            one
            for piece in found
            for one in ([[word] for word in piece] if letters_only(piece) and "".join(piece) not in self.scope else [piece])
        ]

    def entry(self, side: Side, piece: list[str]) -> Side:
        """The entry of the first axis that one index names."""
        condition = None
        if any(word in RELATIONS for word in piece):
            condition = self.part(piece, "condition")
            self.conditional = True
            piece = piece[: next(k for k, word in enumerate(piece) if word in RELATIONS)]
        word = "".join(piece).removeprefix("\\")
        plain = letters_only(piece) and (len(piece) == 1 or word in self.scope)
        computed: Side = (lambda s: number(0)) if plain else self.part(piece)

        def value(s: Scope) -> Value:
            a = side(s)
            if a.rank == 0:
                raise FormulaError(f"a number has the index {word}")
            size = a.shape[0]
            if not plain:
                ranged = s.ranging({one: size for one in piece if not s.fixed(one)})
                place = entrywise(lambda i: np.mod(i - s.base, size), computed(ranged))
            elif word.isdigit():
                place = number(int(word) - s.base)
            elif s.fixed(word):
                place = number(s.array(word) - s.base)
            else:
                place = entrywise(lambda i: i - s.base, s.index(word, size))
            entry = take(a, place)
            if condition is None:
                return entry
            return select(condition(s.ranging({word: size})), entry)

        return value


BRACKETS = {"(": ")", "[": "]", "\\lVert": "\\rVert"}
SPECIAL = {
    "\\frac": "fraction",
    "\\tfrac": "fraction",
    "\\sqrt": "root",
    "\\infty": "infinity",
    "\\underset": "underset",
    "\\begin": "cases",
    "\\partial": "partial",
    "\\nabla": "gradient",
    "\\sum": "sum",
    "\\prod": "product_over",
    "\\max": "maximum",
    "{": "braces",
}
