"""The offline model: rules that use the shipped tools, say so, and speak the Messages API.

It is not a language model and never pretends to be one. `server.OfflineServer` answers requests.
`situation` reads them, `rules` chooses a script for the person's words, and `script` replays it
against the results so far.
"""
