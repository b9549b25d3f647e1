"""Who goes on in a thread knows what its work found out, and nothing that is not theirs."""

from pathlib import Path

from bot.testing.handover_town import Finished, finish_tasks


async def test_what_a_thread_found_out_is_there_for_who_goes_on_and_secrets_are_not(tmp_path: Path):
    assert await finish_tasks(tmp_path, 3) == Finished(tasks=3, finished=3, leaks=0, withheld=3)
