"""For tools that work in people's projects: their files, snapshots, and who may see them.

Everything that touches the disk blocks; call it in a thread.
"""

from typing import Annotated

from pydantic import Field

from bot.files.projects.folders import FILE_BYTES as FILE_BYTES
from bot.files.projects.folders import FULL as FULL
from bot.files.projects.folders import PROJECTS as PROJECTS
from bot.files.projects.folders import ProjectFolder as ProjectFolder
from bot.files.projects.folders import path_of as path_of
from bot.files.projects.folders import projects_of as projects_of
from bot.files.projects.folders import require_path as require_path
from bot.files.projects.places import ProjectPlaces as ProjectPlaces
from bot.files.projects.snapshots import Snapshots as Snapshots

Project = Annotated[
    str,
    Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$", description="Name of the project, such as shop."),
]
"""The argument of a tool."""
