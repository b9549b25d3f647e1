// Everything works without this file. It keeps open pages fresh, asks before what can't be undone,
// and folds the menu of narrow windows.
"use strict";

document.documentElement.classList.add("script");

const menu = document.getElementById("menu");
const side = document.getElementById("side");
menu?.addEventListener("click", () => {
  menu.setAttribute("aria-expanded", String(side.classList.toggle("shown")));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-sure]");
  if (button && !window.confirm(button.dataset.sure)) event.preventDefault();
});

// The server has filled in and escaped what arrives here, as it does for whole pages.
for (const part of document.querySelectorAll("[data-live]")) {
  let stream = null;
  const open = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(part.dataset.live);
    stream.addEventListener("message", (event) => put(part, JSON.parse(event.data).html));
    stream.addEventListener("over", () => window.location.reload());
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && stream) { stream.close(); stream = null; }
    else open();
  });
  open();
}

// What somebody has opened stays open, and what they have reached by the keyboard stays reached,
// also where rows have come above it.
function put(part, html) {
  const opened = [...part.querySelectorAll("details")].map((one) => one.open);
  const stops = () => [...part.querySelectorAll("a, button, summary, [tabindex]")];
  const reached = document.activeElement;
  const at = stops().indexOf(reached);
  const address = reached.getAttribute("href");
  part.innerHTML = html;
  part.querySelectorAll("details").forEach((one, place) => { one.open = opened[place] || false; });
  if (at < 0) return;
  const same = address && stops().find((one) => one.getAttribute("href") === address);
  (same || stops()[at])?.focus();
}
