"""Multi-part answers on Discord: a crash between parts repeats none of them."""

import pytest

from bot.domain.chat import TextDelta
from bot.errors import DeliveryError
from bot.loopback.discord import Fault, Options
from bot.plugin.recent import Recent
from bot.testing.discord_town import EDITS, PATIENT, POSTS, QUICK, Town, town

TEXT = "\n\n".join(f"{number} {'word ' * 150}" for number in range(8))
KEY = "t1/send:answer"


def minutes_pass(made: Town, *, told: bool) -> None:
    """The process is gone and Discord forgot its nonces; history reports them or not."""
    made.chat._delivery._leftovers = Recent()
    made.chat._delivery._unclear = Recent()
    if told:
        made.platform.expire_nonces()
    else:
        made.platform.forget_nonces()


@pytest.mark.parametrize("told", [True, False], ids=["nonces told", "nonces not told"])
async def test_the_first_pieces_are_not_posted_again(told: bool):
    async with town(pace=PATIENT, options=Options(history_nonces=told)) as made:
        message = await made.asked()
        made.platform.fault(
            Fault("POST", POSTS, status=403, skip=2, body={"message": "no", "code": 1})
        )
        with pytest.raises(DeliveryError):
            await made.answer(message, TEXT)
        assert len(made.seen(message)) == 2
        minutes_pass(made, told=told)
        assert await made.found(message) is None
        await made.answer(message, TEXT)
        assert "".join("".join(made.seen(message)).split()) == "".join(TEXT.split())


@pytest.mark.parametrize("told", [True, False], ids=["nonces told", "nonces not told"])
async def test_messages_after_a_draft_are_not_repeated_when_it_is_the_answer(told: bool):
    async with town(pace=QUICK, options=Options(history_nonces=told)) as made:
        message = await made.asked()
        live = made.chat.live(message.reply_to, "t1", KEY)
        live.show(TextDelta("so far"))
        await made.platform.until(lambda: made.posts)
        made.platform.fault(Fault("PATCH", EDITS, status=503, times=20))
        with pytest.raises(DeliveryError):
            await made.answer(message, TEXT, live=live)
        made.platform.faults.clear()
        assert len(made.seen(message)) > 2
        minutes_pass(made, told=told)
        assert await made.found(message) is None
        await made.answer(message, TEXT)
        assert "".join("".join(made.seen(message)).split()) == "".join(TEXT.split())
