element => {
  const link = element.closest("a[href], area[href]");
  const form = element.form || element.closest("form");
  const type = (element.getAttribute("type") || "").toLowerCase();
  const tag = element.tagName.toLowerCase();
  const submits = form !== null && ((tag === "button" && type !== "button" && type !== "reset")
    || (tag === "input" && (type === "submit" || type === "image")));
  const fields = form === null ? [] : Array.from(form.elements).slice(0, 100)
    .filter(one => one.name && !["submit", "button"].includes(one.type)
      && (!["checkbox", "radio"].includes(one.type) || one.checked))
    .map(one => [String(one.name).slice(0, 100), String(one.type || ""),
      String(one.value || "").slice(0, 400)]);
  const by = submits ? element : null;
  const box = element.getBoundingClientRect();
  return {
    tag, type,
    role: element.getAttribute("role") || (type === "range" ? "slider" : ""),
    editable: element.isContentEditable === true || document.designMode === "on",
    boxed: box.width > 0 && box.height > 0,
    disabled: element.disabled === true || element.getAttribute("aria-disabled") === "true",
    host: location.hostname,
    href: link ? String(link.href).slice(0, 2000) : "",
    scripted: link ? link.hasAttribute("onclick") || link.hasAttribute("download") : false,
    submits,
    method: form ? String((by && by.getAttribute("formmethod")) || form.getAttribute("method")
      || "get").toLowerCase() : "",
    action: form ? String((by && by.hasAttribute("formaction") && by.formAction)
      || new URL(form.getAttribute("action") || "", document.baseURI)).slice(0, 2000) : "",
    password: fields.some(one => one[1] === "password"),
    fields,
  };
}
