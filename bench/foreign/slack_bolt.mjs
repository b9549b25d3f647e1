// A small app with @slack/bolt as it is. It knows nothing of Bellhop; it checks the loopback Slack.
// Environment: SLACK_API_URL, SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, MODE (socket or http), NODE_MODULES.
import { createRequire } from "node:module";

const require = createRequire(`${process.env.NODE_MODULES}/`);
const { App, LogLevel } = require("@slack/bolt");

const socketMode = process.env.MODE === "socket";
const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: socketMode ? process.env.SLACK_APP_TOKEN : undefined,
  signingSecret: process.env.SLACK_SIGNING_SECRET,
  socketMode,
  logLevel: LogLevel.WARN,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
});

app.event("app_mention", async ({ event, client, say }) => {
  await client.reactions.add({ channel: event.channel, timestamp: event.ts, name: "eyes" });
  await client.agents.sessions.setStatus({ channel_id: event.channel, thread_ts: event.ts, status: "processing" });
  const stream = client.chatStream({
    channel: event.channel,
    thread_ts: event.ts,
    recipient_team_id: event.team,
    recipient_user_id: event.user,
    buffer_size: 16,
  });
  for (const word of "streamed word by word to the person who asked".split(" ")) {
    await stream.append({ markdown_text: `${word} ` });
  }
  await stream.stop({ session_status: "active" });
  await client.filesUploadV2({
    channel_id: event.channel,
    thread_ts: event.ts,
    filename: "table.csv",
    content: "a,b\n1,2\n",
  });
  await say({
    thread_ts: event.ts,
    text: "Sure?",
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: "Sure?" } },
      {
        type: "actions",
        elements: [{ type: "button", action_id: "yes", value: "1", text: { type: "plain_text", text: "Yes" } }],
      },
    ],
  });
});

app.action("yes", async ({ ack, body, client }) => {
  await ack();
  await client.chat.update({ channel: body.channel.id, ts: body.message.ts, text: "Sure.", blocks: [] });
});

app.command("/bellhop", async ({ ack, respond, command }) => {
  await ack();
  await respond({ response_type: "ephemeral", text: `You wrote ${command.text}.` });
});

app.message("good morning", async ({ message, say, client }) => {
  const who = await client.users.info({ user: message.user });
  await say(`Good morning, ${who.user.profile.display_name}.`);
});

const started = await app.start(0);
console.log(JSON.stringify({ ready: true, port: socketMode ? null : started.address().port }));
