"""The offline model: rules that do what the shipped tools can do, say so, and speak the Messages API.

It is no language model and never pretends to be one. `server.OfflineServer` answers requests; `situation` reads them,
`rules` picks the script for what the person wrote, `script` replays it against the results so far.
"""
