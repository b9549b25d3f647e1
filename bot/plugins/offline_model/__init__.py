"""The offline model: rules that use the shipped tools, say so, and answer as a model does.

It is not a language model and never pretends to be one. `situation` reads a request, `answering`
chooses a script for the person's words, and makes a reply of its next step; `script` replays it
against the results so far.
"""
