"""The manual: Markdown pages, commands and Python names, built without asking any network.

``make docs`` builds it into ``docs/_build/site``.  What the pages show is run and compared by
``tests/test_pages.py``; here it is only set.
"""

import sys
from pathlib import Path

import exactrelu

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE)]

project = "exactrelu"
author = "the exactrelu developers"
copyright = author
version = release = exactrelu.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
    # Our own, in _ext.
    "mathml",
    "chapters",
    "gathered",
    "command_pages",
    "reference",
    "errata",
    "trusted",
    # Beside this file, as it is a program too.
    "notebooks",
]
exclude_patterns = ["_build"]

myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
# A dollar in running text is a dollar: $x$ is a formula, "$ exactrelu" is not.
myst_dmath_allow_space = False
myst_dmath_allow_digits = False
myst_heading_anchors = 4

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
# What they stand for is said on the page of all names.
autodoc_type_aliases = {name: name for name in ("DomainLike", "Number", "Pattern", "Vector")}
python_maximum_signature_line_length = 110
toc_object_entries_show_parents = "hide"
add_module_names = False
napoleon_google_docstring = False
# Attributes that a docstring tells are members too, which have an entry of their own.
napoleon_use_ivar = True
napoleon_use_rtype = False
# Docstrings are run by pytest, blocks of pages by tests/test_pages.py.
doctest_test_doctest_blocks = ""

html_theme = "furo"
html_title = f"exactrelu {version}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = True
pygments_style = "friendly"
