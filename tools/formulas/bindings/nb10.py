"""Notebook 10 and the plan for a class: what was found, in one line each."""

from attention_core import softmax, softmax_jacobian
from tools.formulas.bindings import head
from tools.formulas.check import cell


def seven_sentences(rng):
    p = softmax(rng.normal(size=5))
    return head(rng) | {"p": p, "J": softmax_jacobian(p)}


cell("10-03", bind=seven_sentences, settings=("c = 8",))
cell("10-08", bind=seven_sentences)
cell("teaching/README.md", settings=("i = j",))
