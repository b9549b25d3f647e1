// A small bot with discord.js as it is. It knows nothing of Bellhop; it checks the loopback Discord.
// Environment: DISCORD_API (without the version), DISCORD_TOKEN, NODE_MODULES.
import { createRequire } from "node:module";

const require = createRequire(`${process.env.NODE_MODULES}/`);
const {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  GatewayIntentBits,
  MessageFlags,
  Partials,
} = require("discord.js");

const client = new Client({
  intents: [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.MessageContent,
  ],
  partials: [Partials.Channel],
  rest: { api: process.env.DISCORD_API },
});

client.once("clientReady", async () => {
  await client.application.commands.set([{ name: "ping", description: "is it there" }]);
});

client.on("messageCreate", async (message) => {
  if (message.author.bot) return;
  if (message.content.includes("thread")) {
    const thread = await message.startThread({ name: "Topic" });
    await thread.sendTyping();
    const files = [new AttachmentBuilder(Buffer.from("data"), { name: "a.md" })];
    const sent = await thread.send({ content: "in the thread", files });
    await sent.edit("edited");
    await sent.react("👀");
    const read = await thread.messages.fetch({ limit: 5 });
    await thread.send(`read ${read.size}, roles ${message.member.roles.cache.map((role) => role.name).join(" ")}`);
  } else if (message.content.includes("button")) {
    const button = new ButtonBuilder().setCustomId("go").setLabel("Go").setStyle(ButtonStyle.Primary);
    await message.reply({ content: "press", components: [new ActionRowBuilder().addComponents(button)] });
  } else {
    await message.channel.send(`you wrote ${message.content}`);
  }
});

client.on("interactionCreate", async (interaction) => {
  if (interaction.isButton()) {
    await interaction.update({ content: "pressed", components: [] });
    return;
  }
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await interaction.editReply("pong");
  await interaction.followUp({ content: "and more", flags: MessageFlags.Ephemeral });
});

await client.login(process.env.DISCORD_TOKEN);
