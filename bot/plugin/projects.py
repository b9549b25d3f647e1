"""For tools that work in people's projects: their files, snapshots, and who may see them.

Everything that touches the disk blocks; call it in a thread.
"""

from bot.connectors.workspaces.files import path_of
from bot.connectors.workspaces.folders import FILE_BYTES, ProjectFolder
from bot.connectors.workspaces.places import ProjectPlaces
from bot.connectors.workspaces.snapshots import Snapshots
from bot.connectors.workspaces.tools import Project

__all__ = [
    "FILE_BYTES",
    "Project",
    "ProjectFolder",
    "ProjectPlaces",
    "Snapshots",
    "path_of",
]
