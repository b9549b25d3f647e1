"""For tools that work in people's projects: their files, snapshots, and who may see them.

Everything that touches the disk blocks; call it in a thread.
"""

from typing import Annotated

from pydantic import Field

from bot.files.projects.folders import (
    FILE_BYTES,
    FULL,
    PROJECTS,
    ProjectFolder,
    path_of,
    projects_of,
    require_path,
)
from bot.files.projects.places import ProjectPlaces
from bot.files.projects.snapshots import Snapshots

Project = Annotated[
    str,
    Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$", description="Name of the project, such as shop."),
]
"""The argument of a tool."""
