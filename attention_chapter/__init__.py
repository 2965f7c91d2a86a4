"""The stagecraft of the chapter: the one seeded run, what draws it, what moves it, and what re-executes it."""
