"""The arguments of the five file tools.

Every request carries their schemas, so they repeat nothing: the tool's description explains `old`,
`new` and paths, and very high bounds are checked without being declared.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

LineNumber = Annotated[int, Field(ge=1), WithJsonSchema({"type": "integer"})]
Count = Annotated[int, Field(ge=0), WithJsonSchema({"type": "integer"})]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ReadFile(_Arguments):
    path: str
    offset: LineNumber | None = None
    limit: LineNumber | None = None
    skip: Count = Field(default_factory=int)


class WriteFile(_Arguments):
    path: str
    content: str


class EditFile(_Arguments):
    path: str
    old: str
    new: str
    replace_all: bool = Field(default_factory=bool)


class DeleteFile(_Arguments):
    path: str


class ListDirectory(_Arguments):
    path: str = Field(default_factory=lambda: "/")
    deep: bool = Field(default_factory=bool)
