"""Interactions: commands, clicks, modals; 3 seconds to answer, 15 minutes to follow up."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.loopback.discord.bodies import ApiError, invalid, objects, unknown
from bot.loopback.discord.calls import Reply, Request, check, posted_files
from bot.loopback.discord.limits import check_choices, check_commands, check_modal
from bot.loopback.discord.payloads import ALL_PERMISSIONS
from bot.loopback.discord.posts import Posts
from bot.loopback.discord.world import EPHEMERAL, LOADING, Channel, ChannelKind, Message, User
from bot.plugin.models import JsonObject

UPDATE = 7
TYPING = 4
TOO_LATE_S = 3.0
LIFE_S = 15 * 60.0


@dataclass
class Interaction:
    """One interaction of a person, and the bot's responses."""

    id: int
    token: str
    kind: int
    """2 command, 3 component, 4 typing into an option, 5 modal."""
    user: User
    channel: Channel
    at: datetime
    data: JsonObject
    message: Message | None = None
    answered: int | None = None
    """The type of the first response."""
    answered_after_s: float | None = None
    response: Message | None = None
    follow_ups: list[Message] = field(default_factory=list[Message])
    modal: JsonObject | None = None
    choices: list[JsonObject] | None = None


class InteractionRoutes:
    """The callbacks, the follow-ups and the registration of commands."""

    def __init__(self, posts: Posts) -> None:
        self._posts = posts
        self._world = posts.world
        self._payloads = posts.payloads
        self.commands: list[JsonObject] = []
        """Commands for all servers."""
        self.guild_commands: dict[int, list[JsonObject]] = {}
        self.interactions: dict[str, Interaction] = {}
        self.late: list[Interaction] = []
        """Interactions that were answered after more than 3 seconds."""
        self.too_late_s = TOO_LATE_S

    def begin(
        self,
        user: User,
        channel: Channel,
        kind: int,
        data: JsonObject,
        message: Message | None = None,
    ) -> Interaction:
        """Send a person's interaction to the bot."""
        token = self._world.next_token()
        made = Interaction(
            self._world.next_id(), token, kind, user, channel, self._world.now(), data, message
        )
        self.interactions[token] = made
        self._posts.gateway.dispatch("INTERACTION_CREATE", self._event(made))
        return made

    def redeliver(self, interaction: Interaction) -> None:
        self._posts.gateway.dispatch("INTERACTION_CREATE", self._event(interaction))

    def _event(self, made: Interaction) -> JsonObject:
        guild = made.channel.guild
        bot = str(self._world.bot.id)
        event: JsonObject = {
            "id": str(made.id),
            "application_id": bot,
            "type": made.kind,
            "token": made.token,
            "version": 1,
            "data": made.data,
            "channel": self._payloads.channel(made.channel),
            "channel_id": str(made.channel.id),
            "app_permissions": ALL_PERMISSIONS,
            "locale": made.user.locale,
            "entitlements": [],
            "authorizing_integration_owners": self._owners(made),
            "context": 0 if guild else 2 if made.channel.kind is ChannelKind.GROUP else 1,
            "attachment_size_limit": 10 * 2**20,
        }
        if made.message is not None:
            event["message"] = self._payloads.message(made.message)
        user = self._payloads.user(made.user)
        if guild is None:
            return {**event, "user": user}
        member: JsonObject = {**self._payloads.member(guild, made.user), "user": user}
        return {**event, "guild_id": str(guild.id), "guild_locale": "en-US", "member": member}

    def _owners(self, made: Interaction) -> JsonObject:
        """By kind of installation: the server (0, with `0` in direct messages), or the person."""
        guild, group = made.channel.guild, made.channel.kind is ChannelKind.GROUP
        if group or (guild is not None and guild.foreign):
            return {"1": str(made.user.id)}
        return {"0": str(guild.id) if guild else "0"}

    # --- the first response ---

    def callback(self, request: Request) -> Reply:
        made = self.interactions.get(request.parameters["token"])
        if made is None or str(made.id) != request.parameters["interaction"]:
            raise unknown("Interaction")
        waited = (self._world.now() - made.at) / timedelta(seconds=1)
        if made.answered is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        if waited > self.too_late_s:
            self.late.append(made)
            raise unknown("Interaction")
        kind = int(request.body["type"])
        self._respond(made, kind, request)
        made.answered, made.answered_after_s = kind, waited
        return Reply(self._callback_body(made, kind))

    def _respond(self, made: Interaction, kind: int, request: Request) -> None:
        data: JsonObject = request.body.get("data") or {}
        inner = Request(request.method, {}, {}, data, request.uploads)
        match kind:
            case 5 if made.kind != TYPING:
                flags = (int(data.get("flags") or 0) & EPHEMERAL) | LOADING
                only_for = made.user.id if flags & EPHEMERAL else None
                body: JsonObject = {"content": "", "flags": flags}
                made.response = self._posts.create(
                    made.channel, self._world.bot, body, only_for=only_for
                )
            case 6 if made.message is not None and made.kind in {3, 5}:
                made.response = made.message
            case 7 if made.kind == 3 and made.message is not None:
                check(inner, new=False, message=made.message)
                self._posts.edit(made.message, data)
                made.response = made.message
            case 8:
                if made.kind != TYPING:
                    raise invalid(
                        "type", "Value is not valid for this interaction.", "BASE_TYPE_CHOICES"
                    )
                check_choices(objects(data, "choices"))
                made.choices = objects(data, "choices")
            case 9 if made.kind in {2, 3}:
                check_modal(data)
                made.modal = data
            case _:
                raise invalid(
                    "type", "Value is not valid for this interaction.", "BASE_TYPE_CHOICES"
                )

    def _callback_body(self, made: Interaction, kind: int) -> JsonObject:
        response = made.response
        interaction: JsonObject = {"id": str(made.id), "type": made.kind}
        resource: JsonObject = {"type": kind}
        if response is not None:
            interaction |= {
                "response_message_id": str(response.id),
                "response_message_loading": bool(response.flags & LOADING),
                "response_message_ephemeral": bool(response.flags & EPHEMERAL),
            }
            if kind == UPDATE:
                resource["message"] = self._payloads.message(response)
        return {"interaction": interaction, "resource": resource}

    def _show(self, made: Interaction, request: Request) -> Message:
        flags = int(request.body.get("flags") or 0)
        only_for = made.user.id if flags & EPHEMERAL else None
        files = posted_files(self._world, request)
        return self._posts.create(made.channel, self._world.bot, request.body, files, only_for)

    # --- afterwards ---

    def follow_up(self, request: Request) -> Reply:
        made = self._alive(request)
        check(request, new=True)
        if made.response is not None and made.response.flags & LOADING:
            return self._fill(made.response, request)
        message = self._show(made, request)
        made.follow_ups.append(message)
        return Reply(self._payloads.message(message))

    def get_response(self, request: Request) -> Reply:
        return Reply(self._payloads.message(self._response(self._alive(request), request)))

    def edit_response(self, request: Request) -> Reply:
        message = self._response(self._alive(request), request)
        check(request, new=False, message=message)
        return self._fill(message, request)

    def delete_response(self, request: Request) -> Reply:
        self._posts.delete(self._response(self._alive(request), request))
        return Reply(status=204)

    def _fill(self, message: Message, request: Request) -> Reply:
        message.flags &= ~LOADING
        self._posts.edit(message, request.body, posted_files(self._world, request))
        return Reply(self._payloads.message(message))

    def _alive(self, request: Request) -> Interaction:
        made = self.interactions.get(request.parameters["token"])
        if made is None or request.id("application") != self._world.bot.id:
            raise unknown("Webhook")
        if made.answered is None:
            raise unknown("Webhook")
        if (self._world.now() - made.at) / timedelta(seconds=1) > LIFE_S:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return made

    def _response(self, made: Interaction, request: Request) -> Message:
        wanted = request.parameters["message"]
        if wanted == "@original":
            found = made.response
        else:
            found = next(
                (message for message in made.follow_ups if str(message.id) == wanted), None
            )
        if found is None or found.id not in found.channel.messages:
            raise unknown("Message")
        return found

    # --- registration ---

    def available(self, channel: Channel) -> dict[str, JsonObject]:
        """Return the commands that somebody can use there, by name."""
        return {one["name"]: one for one in self._usable(channel) if (one.get("type") or 1) == 1}

    def menus(self, channel: Channel, kind: int) -> list[JsonObject]:
        """Return what the menus there have: of people (2) or of messages (3)."""
        return [one for one in self._usable(channel) if one.get("type") == kind]

    def _usable(self, channel: Channel) -> list[JsonObject]:
        """Where the bot is not, only what people have installed for themselves."""
        own = self.guild_commands.get(channel.guild.id, []) if channel.guild is not None else []
        if channel.kind is ChannelKind.DM:
            place, install = 1, 0
        elif channel.guild is None:
            place, install = 2, 1
        else:
            place, install = 0, 1 if channel.guild.foreign else 0
        everywhere = [
            one
            for one in self.commands
            if place in (one.get("contexts") or [0, 1])
            and install in (one.get("integration_types") or [0])
        ]
        return [*everywhere, *own]

    def list_commands(self, request: Request) -> Reply:
        """The texts in other languages are left out, unless they are asked for."""
        if request.query.get("with_localizations") == "true":
            return Reply(self._listed(request))
        return Reply(
            [
                {name: value for name, value in one.items() if not name.endswith("_localizations")}
                for one in self._listed(request)
            ]
        )

    def put_commands(self, request: Request) -> Reply:
        listed: list[JsonObject] = request.body["list"]
        check_commands(listed, guild="guild" in request.parameters)
        known = {command["name"]: command for command in self._listed(request)}
        return Reply(
            self._keep(
                request,
                [self._registered(command, known.get(command["name"])) for command in listed],
            )
        )

    def create_command(self, request: Request) -> Reply:
        """Register a command; it replaces one of the same name."""
        before = self._listed(request)
        others = [command for command in before if command["name"] != request.body.get("name")]
        check_commands([*others, request.body], guild="guild" in request.parameters)
        known = next((command for command in before if command not in others), None)
        made = self._registered(request.body, known)
        self._keep(request, [*others, made])
        return Reply(made, status=200 if known else 201)

    def delete_command(self, request: Request) -> Reply:
        before = self._listed(request)
        left = [command for command in before if command["id"] != request.parameters["command"]]
        if len(left) == len(before):
            raise ApiError(404, 10063, "Unknown application command")
        self._keep(request, left)
        return Reply(status=204)

    def _listed(self, request: Request) -> list[JsonObject]:
        if request.id("application") != self._world.bot.id:
            raise ApiError(
                403, 20012, "You are not authorized to perform this action on this application"
            )
        if "guild" not in request.parameters:
            return self.commands
        if request.id("guild") not in self._world.guilds:
            raise ApiError(403, 50001, "Missing Access")
        return self.guild_commands.get(request.id("guild"), [])

    def _keep(self, request: Request, commands: list[JsonObject]) -> list[JsonObject]:
        if "guild" in request.parameters:
            self.guild_commands[request.id("guild")] = commands
        else:
            self.commands = commands
        return commands

    def _registered(self, command: JsonObject, known: JsonObject | None) -> JsonObject:
        return {
            "type": 1,
            "default_member_permissions": None,
            "dm_permission": True,
            "nsfw": False,
            "integration_types": [0],
            "contexts": None,
            **command,
            "id": known["id"] if known else str(self._world.next_id()),
            "application_id": str(self._world.bot.id),
            "version": str(self._world.next_id()),
        }
