"""The shipped tool files: sound, with descriptions that fit the catalogue."""

from bot.domain.tool_context import NativeTool
from bot.testing.shipped_tools import SHIPPED_ROOTS, shipped_natives, shipped_tool
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.discovery import discovery_registration
from bot.tools.schemas.argument_models import args_schema


async def shipped() -> ToolCatalog:
    catalog = ToolCatalog(SHIPPED_ROOTS, natives=shipped_natives())
    await catalog.load()
    return catalog


async def test_no_shipped_tool_file_has_an_error_or_a_warning():
    catalog = await shipped()
    assert catalog.problems == ()
    assert catalog.definitions(["shared"])


def test_tool_search_declares_what_its_handler_takes():
    (handler,) = discovery_registration().tools
    assert isinstance(handler, NativeTool)
    assert shipped_tool("shared/tool_search").parameters == args_schema(handler.arguments)


async def test_no_two_shipped_tools_share_a_name_or_alias():
    catalog = await shipped()
    names = [
        label
        for tool in catalog.snapshot.tools
        for label in (tool.definition.name, *tool.definition.aliases)
    ]
    assert len(names) == len(set(names))
