"""The chapter's formulas, run: what stands between dollars is read from its own LaTeX and compared with the code.

source.py finds the formulas and cuts them into statements; values.py is what they compute with; scope.py says what names
stand for; functions.py holds the functions among them; latex.py reads a statement; check.py compares its sides. bindings/ says,
cell by cell, what the symbols stand for, and which few statements are not run and why. Read them in this order.
"""
