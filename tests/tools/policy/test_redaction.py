"""What a tool gave back: planted secrets never leave, whatever surrounds them."""

import json

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.log import register_secret
from bot.testing.tools import a_scope
from bot.tools.policy.redaction import WITHHELD, Redaction
from bot.tools.policy.rules import OutputRule
from bot.tools.running.executor import fit
from bot.tools.text.patterns import TextPattern

TOOL = ToolDefinition("t", "d", {}, "shared", NativeImplementation("t"))
SECRETS = ("planted/secret+value=1", "xoxb-" + "99887766-planted", "sk-ant-" + "planted00")
around = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(around, st.sampled_from(SECRETS), around, st.integers(200, 400))
def test_a_planted_secret_is_in_no_part_of_a_result(
    before: str, secret: str, after: str, limit: int
):
    register_secret(SECRETS[0])
    # White space around it: glued to letters, a token of known shape is another word.
    text = f"{before}\n{secret}\n{after}" * 8
    raw = ToolResult(
        text,
        blocks=({"type": "text", "text": text}, {"deep": [{"a": secret}]}),
        summary=f"got {secret}",
    )
    cleaned = Redaction().clean(fit(raw, limit), TOOL, a_scope()).result
    assert secret not in json.dumps(
        [cleaned.content, cleaned.blocks, cleaned.summary], ensure_ascii=False
    )


def test_a_secret_is_gone_before_the_middle_is_cut():
    register_secret(SECRETS[0])
    for at in range(140, 170):
        cut = fit(ToolResult("x" * at + SECRETS[0] + "y" * 400), 200)
        assert "planted" not in cut.content


def test_a_text_that_holds_none_stays_the_very_same_result():
    result = ToolResult("token: next-page, password is asked for", summary="s")
    assert Redaction().clean(result, TOOL, a_scope()).result is result


def test_matches_of_a_rule_are_replaced_whole_without_error():
    rule = OutputRule("cards", (TextPattern(regex=r"\d{4} \d{4}"),))
    redaction = Redaction([rule])
    for result in (
        ToolResult("1234 5678", is_error=True, summary="1234 5678"),
        ToolResult("see below", blocks=({"type": "text", "text": "1234 5678"},)),
    ):
        cleaned = redaction.clean(result, TOOL, a_scope())
        assert cleaned.rule == "cards"
        assert (cleaned.result.content, cleaned.result.is_error, cleaned.result.blocks) == (
            WITHHELD,
            False,
            (),
        )
        assert "1234" not in cleaned.result.summary
