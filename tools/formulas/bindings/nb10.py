"""Notebook 10 and the plan for a class: what was found, in one line each."""

from attention_core import softmax, softmax_jacobian
from tools.formulas.bindings import head
from tools.formulas.check import cell


def seven_sentences(rng):
    """One head; logits, their weights, and the Jacobian."""
    return head(rng) | {"z": rng.normal(size=5), "p": lambda z: softmax(z), "J": lambda p: softmax_jacobian(p)}


cell("10-03", bind=seven_sentences)
cell("10-t5", settings=("c = 8",))
cell("10-08", bind=seven_sentences, settings=("i = j",))
cell("teaching/README.md", settings=("i = j",))
