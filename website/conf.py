"""How Sphinx makes the site. build_site.py puts this file beside the sources that it prepares, and calls Sphinx there."""

project = "Attention: reasoning by relevance"
html_title = project
language = "en"
extensions = ["myst_nb", "mathematics"]

# The committed outputs are the chapter; a build that ran the cells could show others.
nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 3
nb_render_markdown_format = "myst"  # an output may hold a table, too
myst_heading_slug_func = "sources.jupyter_anchor"
smartquotes = False

html_theme = "furo"
templates_path = ["_templates"]
exclude_patterns = ["_templates"]
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["chapter.css"]
html_js_files = ["chapter.js"]
html_theme_options = {"top_of_page_buttons": []}
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
html_math_renderer = "katex"
