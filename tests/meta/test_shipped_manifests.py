"""Shipped manifests: valid, described, and made of tools that ship."""

from bot.domain.access import Role
from bot.shipped import shipped_dir
from bot.skills.manifests import SkillManifests
from bot.testing.shipped_tools import SHIPPED_ROOTS
from bot.tools.catalog.catalog import ToolCatalog

SEED = {"webdev", "security-auditing", "infrastructure", "network-auditing"}
"""Manifests that the product promises."""
FOLDERS = ("shared", "subagents", "observer", "planner")


async def test_every_shipped_manifest_is_valid_and_each_of_its_tools_ships():
    manifests, catalog = (
        SkillManifests([shipped_dir("skills")]),
        ToolCatalog(SHIPPED_ROOTS),
    )
    await manifests.load()
    await catalog.load()
    assert manifests.problems == ()
    assert {one.skill_id for one in manifests.all()} >= SEED
    assert len(manifests.all()) >= 5
    tools = {one.name: one for one in catalog.definitions(FOLDERS)}
    for manifest in manifests.all():
        assert set(manifest.required_tools) <= tools.keys(), manifest.skill_id
        # Whoever may know of a skill can use something of it.
        for role in (
            role
            for role in Role
            if manifest.access.roles is not None and manifest.access.allows(role)
        ):
            assert any(tools[name].access.allows(role) for name in manifest.required_tools), (
                manifest.skill_id,
                role,
            )
        assert manifest.description or manifest.skill_id == "webdev"
        if manifest.confinement is not None:
            assert all(manifest.confinement.allows_tool(name) for name in manifest.required_tools)
