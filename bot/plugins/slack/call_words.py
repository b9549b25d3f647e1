"""What calls of Slack's tools do, as cards say it."""

from bot.plugin.tools import Phrase

POST = Phrase("post in their own name in Slack's {channel}: {text}")
MAKE_LIST = Phrase("make the Slack list {title}")
FOR_MEMBER = Phrase(" for {member}")
ADD_ROW = Phrase("add a row{whose} to the Slack list {list}: {cells}")
CHANGE_ROW = Phrase("change the row {row}{whose} of the Slack list {list}: {cells}")
REMOVE_ROW = Phrase("remove the row {row} from the Slack list {list}")
LET_READ_LIST = Phrase("let {whom} read the Slack list {list}")
LET_CHANGE_LIST = Phrase("let {whom} change the Slack list {list}")
MAKE_CANVAS = Phrase("make the Slack canvas {title}")
MAKE_CHANNEL_CANVAS = Phrase("make the Slack canvas {title} as the canvas of {channel}")
ADD = Phrase("add to the Slack canvas {canvas}: {content}")
ADD_BEHIND = Phrase("add to the Slack canvas {canvas} behind {at}: {content}")
REPLACE = Phrase("replace in the Slack canvas {canvas} the block with {at} by {content}")
REMOVE = Phrase("remove from the Slack canvas {canvas} the block with {at}")
LET_READ_CANVAS = Phrase("let {whom} read the Slack canvas {canvas}")
LET_CHANGE_CANVAS = Phrase("let {whom} change the Slack canvas {canvas}")
