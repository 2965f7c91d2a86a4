"""The chapter's formulas, run: what stands between dollars is read from its own LaTeX and compared with the code.

source.py finds the formulas and cuts them into statements; latex.py reads a statement; values.py computes with what it
stands for; check.py compares the sides. bindings/ says, cell by cell, what the symbols stand for, and which few statements
are not run and why. Read them in this order; tests/test_formulas.py runs it all.
"""
