"""Each process has a log of its own, and all of them are found."""

import os
from pathlib import Path

from bot.storage.log_files import LogFile, is_log, log_files


def test_processes_of_one_machine_have_a_log_each_and_keep_its_name(tmp_path: Path):
    first, second = (LogFile.of(tmp_path, shared=True) for _ in range(2))
    assert first.path != second.path
    for number, one in enumerate((first, second)):
        one.path.write_text("a line")
        os.utime(one.path, (number, number))
    first.release()
    again = LogFile.of(tmp_path, shared=True)
    assert again.path == first.path
    assert log_files(tmp_path / "data") == [second.path, first.path]
    for one in (again, second):
        one.release()


def test_alone_it_is_the_one_that_is_in_the_docs(tmp_path: Path):
    log = LogFile.of(tmp_path, shared=False)
    assert log.path == tmp_path / "data" / "bellhop.log"
    assert log_files(tmp_path / "data") == []
    names = ("bellhop.log", "bellhop.log.1", "bellhop.db", "bellhop.lock", "notes.log")
    assert [is_log(name) for name in names] == [True, True, False, False, False]
