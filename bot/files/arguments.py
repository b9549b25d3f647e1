"""The arguments of the five file tools (requirements 1.10)."""

from pydantic import BaseModel, ConfigDict, Field

PATH = "Absolute path, such as /documents/trips/lisbon.md"


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ReadFile(_Arguments):
    path: str = Field(description=PATH)
    offset: int | None = Field(default=None, ge=1, description="First line to read, counted from 1")
    limit: int | None = Field(default=None, ge=1, description="How many lines to read")


class WriteFile(_Arguments):
    path: str = Field(description=PATH)
    content: str = Field(description="The whole new text of the file")


class EditFile(_Arguments):
    path: str = Field(description=PATH)
    old: str = Field(min_length=1, description="Text to replace, exactly as it stands in the file")
    new: str = Field(description="Text to put in its place; empty to delete it")
    replace_all: bool = Field(default=False, description="Replace every occurrence instead of exactly one")


class DeleteFile(_Arguments):
    path: str = Field(description=PATH)


class ListDirectory(_Arguments):
    path: str = Field(default="/", description="Absolute path of a folder; / shows the roots")
