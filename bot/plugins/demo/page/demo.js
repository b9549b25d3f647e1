// The page of `bellhop demo`: it shows what the server sends, and sends what a person does.
"use strict";

const byId = (id) => document.getElementById(id);
const state = { side: "", who: "", place: "", view: null, about: null, reply: "", seen: {}, command: null, awaited: null };
let live = null;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

async function send(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({ error: answer.statusText }));
  byId("error").textContent = told.error || "";
  return told;
}

const act = (given) => send("act", { side: state.side, who: state.who, place: state.place, act: given });

// Fill a list anew. What the keyboard had reached in it stays reached; if it is gone, its row is.
function refill(list, rows) {
  const stops = (row) => [row, ...row.querySelectorAll("a, button, select, summary, [tabindex]")];
  const reached = document.activeElement;
  const before = [...list.children].find((row) => row.contains(reached));
  const at = before ? stops(before).indexOf(reached) : -1;
  list.replaceChildren(...rows);
  if (!before) return;
  const row = [...list.children].find((one) => one.dataset.id === before.dataset.id);
  const stop = row && stops(row)[at];
  const next = stop && !stop.disabled ? stop : row || list;
  if (next === row && !row.matches("button")) row.tabIndex = -1;
  next.focus({ preventScroll: true });
}

// --- following what one person sees ---

function follow() {
  if (live) live.close();
  const asked = new URLSearchParams({ side: state.side, who: state.who, place: state.place });
  live = new EventSource(`live?${asked}`);
  live.onmessage = (event) => show(JSON.parse(event.data));
  for (const button of byId("sides").children) {
    button.setAttribute("aria-pressed", String(button.dataset.side === state.side));
  }
  byId("who").value = state.who;
}

function go(side, who, place) {
  Object.assign(state, { side: side || state.side, who: who || state.who, place, reply: "", view: null, awaited: null });
  const inside = byId("messages").contains(document.activeElement);
  byId("messages").replaceChildren();
  if (inside) byId("messages").focus();
  choose(null);
  answering("");
  follow();
}

function show(view) {
  const before = state.view;
  state.view = view;
  state.place = view.place;
  const place = view.places.find((one) => one.id === view.place);
  state.seen[`${state.who} ${place.id}`] = place.newest;
  byId("title").textContent = place.kind === "channel" ? `# ${place.name}` : place.name;
  byId("connection").textContent = view.connected ? "Bellhop is online" : "Bellhop is offline";
  byId("status").textContent = view.status;
  document.querySelector(".mention").hidden = place.kind === "dm";
  byId("text").placeholder = place.kind === "dm" ? "Write to Bellhop" : "Write here, / for commands";
  if (state.awaited && state.awaited.place === view.place) {
    const old = state.awaited.old ||= placesOf(view);
    const begun = view.places.find((one) => one.parent === view.place && !old.has(one.id));
    if (begun) { go("", "", begun.id); return; }
  }
  showPlaces(view);
  showMessages(view.messages, before ? before.messages : []);
  showForm(view.form);
}

const placesOf = (view) => new Set(view.places.map((one) => one.id));

function showPlaces(view) {
  refill(byId("places"), view.places.map((place) => {
    const name = { dm: "✉ ", channel: "# ", thread: "↳ " }[place.kind] + place.name;
    const button = element("button", { type: "button", textContent: name, className: place.kind });
    button.dataset.id = place.id;
    const key = `${state.who} ${place.id}`;
    if (place.id === view.place) button.setAttribute("aria-current", "page");
    else if (place.newest && (state.seen[key] || "") < place.newest) button.classList.add("unread");
    button.onclick = () => go("", "", place.id);
    return button;
  }));
}

function showMessages(messages, before) {
  const list = byId("messages");
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
  const known = new Map(before.map((one) => [one.id, JSON.stringify(one)]));
  const shown = new Map([...list.children].map((one) => [one.dataset.id, one]));
  refill(list, messages.map((message) => {
    const old = shown.get(message.id);
    return old && known.get(message.id) === JSON.stringify(message) ? old : messageItem(message);
  }));
  if (atEnd || !before.length) list.scrollTop = list.scrollHeight;
}

function messageItem(message) {
  const item = element("li", { className: message.only_you ? "aside" : "" });
  item.dataset.id = message.id;
  const body = element("div", { className: "body" });
  body.innerHTML = message.html;  // made by the server from markdown, without any tag of people
  item.append(
    ...(message.reply_to ? [element("div", { className: "quiet", textContent: `↪ ${message.reply_to}` })] : []),
    element("div", { className: "head" },
      element("strong", { textContent: message.author, className: message.bot ? "bot" : "" }),
      element("time", { textContent: message.at + (message.edited ? " (edited)" : "") }),
      message.only_you ? element("span", { className: "quiet", textContent: "only you see this" }) : null,
      messageTools(message)),
    taskList(message.tasks), ...shownParts(message, body), reactionList(message));
  if (message.thread && message.thread !== state.place) {
    const open = element("button", { type: "button", textContent: `Thread (${message.replies})` });
    open.onclick = () => go("", "", message.thread);
    item.append(open);
  }
  return item;
}

function shownParts(message, body) {
  const parts = [body, fileList(message.files), controlList(message)];
  return message.framed ? [element("div", { className: "framed" }, ...parts)] : parts;
}

function messageTools(message) {
  const tools = element("span", { className: "tools" });
  const tool = (label, words, does) => {
    const button = element("button", { type: "button", textContent: label, title: words, onclick: does });
    button.setAttribute("aria-label", words);
    tools.append(button);
  };
  tool("↪", "Reply", () => { answering(message.id); byId("text").focus(); });
  const emoji = state.side === "slack" ? ["thumbsup", "thumbsdown"] : ["👍", "👎"];
  tool("👍", "React with thumbs up", () => act({ do: "react", message: message.id, emoji: emoji[0] }));
  tool("👎", "React with thumbs down", () => act({ do: "react", message: message.id, emoji: emoji[1] }));
  const me = state.about.people.find((one) => one.id === state.who);
  if (!message.bot && message.author === me.name) {
    tool("✎", "Edit", () => {
      const text = prompt("The message", item_text(message));
      if (text) act({ do: "edit", message: message.id, text });
    });
    tool("✕", "Delete", () => act({ do: "delete", message: message.id }));
  }
  return tools;
}

function item_text(message) {
  return element("div", { innerHTML: message.html }).textContent.trim();
}

function taskList(tasks) {
  if (!tasks.length) return "";
  const signs = { pending: "○", in_progress: "◐", complete: "●", error: "✕" };
  return element("ul", { className: "tasks" },
    ...tasks.map((one) => element("li", { textContent: `${signs[one.status] || "·"} ${one.title}` })));
}

function fileList(files) {
  const list = element("div", { className: "files" });
  for (const file of files) {
    const url = `${file.url}?who=${state.who}`;
    list.append(file.picture
      ? element("img", { src: url, alt: file.name })
      : element("a", { href: url, download: file.name, textContent: `${file.name}, ${sizeOf(file.size)}` }));
  }
  return list;
}

const sizeOf = (bytes) => bytes < 2048 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;

function controlList(message) {
  const list = element("div", { className: "controls" });
  for (const control of message.controls) {
    const press = (label) => act({ do: "click", message: message.id, label });
    if (!control.options.length) {
      const button = element("button", { type: "button", className: control.style,
        textContent: control.label, disabled: control.disabled, onclick: () => press(control.label) });
      list.append(button);
      continue;
    }
    const select = element("select", { disabled: control.disabled },
      element("option", { textContent: control.label, value: "" }),
      ...control.options.map((one) => element("option", { textContent: one, value: one })));
    select.setAttribute("aria-label", control.label);
    select.onchange = () => select.value && press(select.value);
    list.append(select);
  }
  return list;
}

function reactionList(message) {
  const words = Object.entries(message.reactions).map(([emoji, count]) => `${emoji} ${count}`);
  return words.length ? element("div", { className: "quiet", textContent: words.join("  ") }) : "";
}

// --- forms ---

function showForm(form) {
  const dialog = byId("form");
  if (!form) { if (dialog.open) dialog.close(); return; }
  if (dialog.open && dialog.dataset.id === form.id) return;
  dialog.dataset.id = form.id;
  byId("form-title").textContent = form.title;
  byId("fields").replaceChildren(...form.fields.map(fieldOf));
  if (!dialog.open) dialog.showModal();
}

function fieldOf(field) {
  const options = Object.entries(field.options);
  const input = options.length ? element("select") : element(field.long ? "textarea" : "input");
  input.append(...options.map(([value, label]) => element("option", { value, textContent: label })));
  Object.assign(input, { id: `field-${field.name}`, name: field.name, value: field.value });
  if (!options.length) Object.assign(input, { maxLength: field.most, required: field.required });
  return element("label", { htmlFor: input.id, textContent: field.label }, input);
}

byId("form").querySelector("form").onsubmit = (event) => {
  event.preventDefault();
  const values = {};
  for (const input of byId("fields").querySelectorAll("[name]")) values[input.name] = input.value;
  act({ do: "submit", form: byId("form").dataset.id, values });
};
const dismiss = () => act({ do: "dismiss", form: byId("form").dataset.id });
byId("dismiss").onclick = dismiss;
byId("form").oncancel = dismiss;

// --- writing ---

function answering(id) {
  state.reply = id;
  const message = state.view && state.view.messages.find((one) => one.id === id);
  byId("answering").hidden = !message;
  if (message) byId("answering").firstElementChild.textContent = `Replying to ${message.author}`;
}
byId("answering").querySelector("button").onclick = () => answering("");

byId("composer").onsubmit = async (event) => {
  event.preventDefault();
  // What is written before its place is shown waits: the place says whether it is for Bellhop.
  while (!state.view) await new Promise((done) => { setTimeout(done, 20); });
  const text = byId("text").value.trim();
  const files = [...byId("files").files];
  const direct = document.querySelector(".mention").hidden;
  const mention = !direct && byId("mention").checked;
  let told = {};
  // A thread that opens for the answer is shown.
  state.awaited = { place: state.place, old: placesOf(state.view) };
  if (files.length) {
    const body = new FormData();
    for (const [name, value] of Object.entries({ side: state.side, who: state.who, place: state.place, text })) {
      body.append(name, value);
    }
    if (mention) body.append("mention", "yes");
    for (const file of files) body.append("file", file, file.name);
    const answer = await fetch("upload", { method: "POST", body });
    told = await answer.json().catch(() => ({ error: answer.statusText }));
    byId("error").textContent = told.error || "";
  } else if (state.command) {
    told = await act({ do: "slash", name: state.command.name, options: optionsIn(text) });
  } else if (text) {
    told = await act({ do: "say", text, mention, reply_to: state.reply });
  }
  if (told.error) return;
  byId("text").value = "";
  byId("files").value = "";
  answering("");
  choose(null);
};

// A command takes its first option from the text, or several as `name: value` lines.
function optionsIn(text) {
  const names = state.command.options;
  if (!names.length || !text) return {};
  const found = {};
  for (const line of text.split("\n")) {
    const name = names.find((one) => line.startsWith(`${one}: `));
    if (name) found[name] = line.slice(name.length + 2);
  }
  return Object.keys(found).length ? found : { [names[0]]: text };
}

function choose(command) {
  state.command = command;
  byId("offers").hidden = true;
  byId("chosen").hidden = !command;
  byId("chosen").textContent = command
    ? `/${command.name}${command.options.map((one) => ` ${one}`).join("")} (Esc: no command)` : "";
}

let asked = 0;
async function offer() {
  const text = byId("text").value;
  if (!state.view) return;
  if (!state.command && text.startsWith("/")) {
    const begun = text.slice(1).toLowerCase();
    const fitting = state.view.commands.filter((one) => one.name.startsWith(begun));
    showOffers(fitting.map((one) => ({
      words: `/${one.name}`, about: one.about,
      take: () => { byId("text").value = ""; choose(one); offer(); },
    })));
    return;
  }
  const option = state.command && state.command.completes[0];
  if (!option) { byId("offers").hidden = true; return; }
  const number = ++asked;
  const query = new URLSearchParams({ side: state.side, who: state.who, place: state.place,
    command: state.command.name, option, text });
  const found = await (await fetch(`complete?${query}`)).json();
  if (number !== asked || !state.command) return;
  showOffers(found.map((one) => ({
    words: one, about: "", take: () => { byId("text").value = one; byId("offers").hidden = true; },
  })));
}

function showOffers(offers) {
  const list = byId("offers");
  list.replaceChildren(...offers.slice(0, 25).map((one, index) => {
    const item = element("li", {}, element("strong", { textContent: one.words }), ` ${one.about}`);
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(index === 0));
    item.onmousedown = (event) => { event.preventDefault(); one.take(); };
    item.take = one.take;
    return item;
  }));
  list.hidden = !offers.length;
}

byId("text").oninput = offer;
byId("text").onkeydown = (event) => {
  const list = byId("offers");
  const chosen = list.hidden ? null : list.querySelector("[aria-selected=true]");
  if (event.key === "Escape") { choose(null); return; }
  if (chosen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const next = event.key === "ArrowDown" ? chosen.nextElementSibling : chosen.previousElementSibling;
    if (next) { chosen.setAttribute("aria-selected", "false"); next.setAttribute("aria-selected", "true");
      next.scrollIntoView({ block: "nearest" }); }
    return;
  }
  if (chosen && (event.key === "Tab" || event.key === "Enter")) {
    event.preventDefault();
    chosen.take();
    return;
  }
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    byId("composer").requestSubmit();
  }
};

// --- inside ---

function followInside() {
  new EventSource("inside").onmessage = (event) => {
    const told = JSON.parse(event.data);
    const open = new Set([...byId("runs").querySelectorAll("details[open]")].map((one) => one.dataset.id));
    refill(byId("runs"), told.cycles.length ? told.cycles.map((cycle, index) => {
      const run = element("details", { open: open.has(cycle.id) || (index === 0 && !open.size) },
        element("summary", { textContent: `${cycle.person}: ${cycle.asked || cycle.agent} (${cycle.status})` }),
        element("pre", { textContent: cycle.tree, tabIndex: 0 }));
      run.dataset.id = cycle.id;
      return run;
    }) : [element("p", { textContent: "Write something: each run is shown here, with its model calls, tools, decisions and costs." })]);
    showRequests(told.requests);
    byId("runs-now").textContent = told.runs ? "Bellhop runs" : "Bellhop is not running";
    const log = byId("log").querySelector("pre");
    log.textContent = told.log.join("\n");
    log.scrollTop = log.scrollHeight;
  };
}

// The newest requests to the model, each part with its size and how it begins.
function showRequests(requests) {
  const list = byId("requests");
  const known = new Map([...list.children].map((one) => [one.dataset.id, one]));
  if (!requests.length) {
    list.replaceChildren(element("p", { textContent: state.about.with_model
      ? "A real model gets the requests directly; the console shows their sizes."
      : "Write something: each request to the model is shown here, part by part." }));
    return;
  }
  refill(list, requests.map((request, index) => known.get(String(request.number)) || requestItem(request, !index && !known.size)));
}

function requestItem(request, open) {
  const sized = (chars) => `${chars.toLocaleString("en")} characters`;
  const parts = request.parts.map((part) => element("li", {},
    element("strong", { textContent: part.what }),
    ` ${sized(part.chars)}${part.cached ? ", cached up to here" : ""}`,
    element("pre", { textContent: part.text, tabIndex: 0 })));
  const item = element("details", { open },
    element("summary", { textContent: `Request ${request.number}: ${request.parts.length} parts, ${sized(request.chars)}` }),
    element("ol", {}, ...parts));
  item.dataset.id = request.number;
  return item;
}

for (const button of byId("panes").children) {
  button.onclick = () => {
    for (const other of byId("panes").children) {
      other.setAttribute("aria-pressed", String(other === button));
      byId(other.dataset.pane).hidden = other !== button;
    }
  };
}
byId("kill").onclick = () => send("process", { do: "kill" });
byId("start").onclick = () => send("process", { do: "start" });
for (const button of document.querySelectorAll("[data-shows]")) {
  button.onclick = () => {
    const shown = byId(button.dataset.shows).classList.toggle("shown");
    button.setAttribute("aria-expanded", String(shown));
  };
}

// --- tours ---

function tourCard(tour) {
  let at = 0, waits = false, playing = null;
  const steps = tour.steps.map((says) => element("li", { textContent: says }));
  const next = element("button", { type: "button", className: "primary", textContent: "Begin" });
  const goOn = async () => {
    if (waits) return false;
    if (at === tour.steps.length) at = 0;
    waits = true;
    const label = next.textContent;
    next.textContent = "Waiting …";  // a step waits for what Bellhop does first
    const told = await send("tour", { tour: tour.id, step: at }).finally(() => {
      waits = false;
      next.textContent = label;
    });
    if (told.error) return false;
    if (told.place) { go(told.side, told.who, told.place); state.awaited = { place: told.place, old: null }; }
    at += 1;
    steps.forEach((step, index) => { step.className = index < at - 1 ? "done" : index === at - 1 ? "now" : ""; });
    next.textContent = at === tour.steps.length ? "Again" : "Next";
    return at < tour.steps.length;
  };
  next.onclick = goOn;
  const play = element("button", { type: "button" });
  const offers = (word) => {
    play.textContent = word;
    play.setAttribute("aria-label", `${word}: ${tour.title}`);
  };
  offers("Play");
  play.onclick = async () => {
    const mine = playing ? null : {};  // a second press stops it
    playing = mine;
    offers(mine ? "Stop" : "Play");
    while (mine && playing === mine && await goOn()) {
      await new Promise((done) => { setTimeout(done, state.about.pause_s * 1000); });
    }
    if (mine && playing === mine) { playing = null; offers("Play"); }
  };
  const card = element("article", {}, element("h2", { textContent: tour.title }), element("ol", {}, ...steps),
    element("p", { className: "row" }, next, play));
  card.dataset.tour = tour.id;
  return card;
}

// `bellhop demo --scenario` opens the page with the tour that is to play, once Bellhop is there.
async function playScenario() {
  const wanted = new URLSearchParams(window.location.search).get("scenario");
  const card = [...byId("tours").children].find((one) => one.dataset.tour === wanted);
  if (!card) return;
  while (!state.view || !state.view.connected) await new Promise((done) => { setTimeout(done, 100); });
  card.querySelector("button:not(.primary)").click();
}

async function begin() {
  state.about = await (await fetch("about")).json();
  byId("sides").append(...state.about.sides.map((side) => {
    const button = element("button", { type: "button", textContent: side.title, onclick: () => go(side.id, "", "") });
    button.dataset.side = side.id;
    return button;
  }));
  byId("who").append(...state.about.people.map((one) =>
    element("option", { value: one.id, textContent: `${one.name}, ${one.role}` })));
  byId("who").onchange = () => go("", byId("who").value, "");
  byId("tours").append(
    ...(state.about.with_model ? [element("p", { className: "quiet",
      textContent: "A real model answers: the tours may take other ways than described." })] : []),
    ...state.about.tours.map(tourCard));
  go(state.about.sides[0].id, state.about.people[0].id, "");
  followInside();
  playScenario();
}
begin();
