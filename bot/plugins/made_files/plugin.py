"""Files that people ask for, made by a model's order and posted where its answer is."""

from collections.abc import Sequence

from bot.plugin.places import PlaceGround, PlaceParts
from bot.plugin.plugin import Given, Lacking, NoSettings, Parts, Plugin, Setup
from bot.plugins.made_files.maker import FileMaker, plots_there
from bot.plugins.made_files.tool import MakesFiles


class MadeFiles(Plugin[NoSettings]):
    name = "made_files"
    title = "making Word, PDF, Excel, CSV and calendar files, and plots"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(places=_built)

    def lacks(self, setup: Setup[NoSettings]) -> Sequence[Lacking]:
        if plots_there():
            return ()
        install = "run pip install 'bellhop-assistant[plots]'"
        gives, docs = "numbers drawn as a picture", "docs/daily-use.md"
        return [Lacking("Plots", gives, frozenset({"plot"}), install, docs, id="plots")]


def _built(ground: PlaceGround) -> PlaceParts:
    return PlaceParts(MakesFiles(ground, FileMaker()).registrations())
