"""The stagecraft of the chapter: the one seeded run, what draws it, what moves it, and what checks its exercises.

A notebook imports this package first, so that the desk it is read on is looked at here, once.
"""

import logging
import os
import warnings
from importlib.util import find_spec

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Python looks beside the notebook first. A file of one of these names there, a homework perhaps, would be taken for ours.
for name in ("attention_core", "attention_checks", "kg"):
    ours, found = os.path.join(HERE, f"{name}.py"), getattr(find_spec(name), "origin", None)
    if os.path.realpath(found or "") != os.path.realpath(ours):
        raise ImportError(
            f"'import {name}' finds {found}, but the chapter needs its own {ours}: rename the first, restart the kernel, run again."
        )

# On some processors a BLAS leaves false floating-point flags behind, so that a faultless A @ B warns. Real ones stay in view: as inf and
# nan in the product, and as warnings of all that is no product.
warnings.filterwarnings("ignore", r"(divide by zero|overflow|invalid value) encountered in (matmul|dot)$", RuntimeWarning)

# Where no folder can be written to, matplotlib takes one of its own. It says so in the first cell that draws, as if that had failed.
logging.getLogger("matplotlib").addFilter(
    lambda record: not str(record.msg).startswith(("mkdir -p failed", "%s is not a writable", "Matplotlib created a temporary"))
)
