"""Scripts that run in pages: they find what Playwright's snapshot leaves out, and scroll.

Pages can lie to each of them. The network limits what can be sent, not they.
"""

EARLY = """(() => {
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (how) {
    return attach.call(this, {...how, mode: 'open'}) }
  const said = []
  Object.defineProperty(window, '__bellhopSaid', {value: said})
  const LIVE = '[role=status],[role=alert],[role=log],output,'
    + '[aria-live=polite],[aria-live=assertive]'
  const note = node => {
    const element = node.nodeType === 1 ? node : node.parentElement
    const live = element && element.closest && element.closest(LIVE)
    const text = live ? live.textContent.trim().slice(0, 200) : ''
    if (text && said[said.length - 1] !== text && said.length < 50) said.push(text) }
  new MutationObserver(all => all.slice(0, 200).forEach(one => note(one.target)))
    .observe(document, {subtree: true, childList: true, characterData: true})
  window.print = () => { said.push('the page opens the print window; its text is on the page') }
})()"""
"""Before a page's own scripts: closed shadow roots open, and short messages are kept."""

SAID = "() => (window.__bellhopSaid || []).splice(0)"

BUSY = """() => document.readyState === 'loading' || [...document.querySelectorAll(
  '[aria-busy=true], progress:not([value]), [role=progressbar]:not([aria-valuenow])')].some(one =>
  one.getClientRects().length > 0)"""

HINT = """element => {
  const use = element.querySelector('use')
  const icon = element.matches('[class*=icon], [class*="fa-"], [data-icon]') ? element
    : element.querySelector('[class*=icon], [class*="fa-"], [data-icon], img, i')
  const file = address => (address || '').split(/[\\/#]/).pop().replace(/\\.\\w+$/, '')
  const parts = [element.getAttribute('title'), element.getAttribute('placeholder'),
    element.getAttribute('data-tooltip'), use && file(use.getAttribute('href')
      || use.getAttribute('xlink:href')), icon && (icon.getAttribute('data-icon')
      || icon.getAttribute('class') || file(icon.getAttribute('src'))),
    element.getAttribute('name'), element.getAttribute('data-testid'), element.id,
    element.getAttribute('class'), file(element.getAttribute('href'))]
  return [String(parts.find(one => one && one.trim()) || '').trim().slice(0, 60),
    element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || '']
}"""
"""What stands for the name of an element that has none, such as its icon; and its value."""

SECRETS = """() => [...document.querySelectorAll('input[type=password]')]
  .slice(0, 20).map(one => one.value)"""

EXTRAS = """frame => {
  const found = []
  const OWN = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],'
    + '[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=textbox],'
    + '[role=combobox],[role=slider],[role=searchbox],[role=spinbutton],[role=treeitem],'
    + '[role=gridcell],iframe,audio,video,dialog'
  const text = one => (one.innerText || one.textContent || '').trim().replace(/\\s+/g, ' ')
    .slice(0, 100)
  const seen = one => one.getClientRects().length > 0
    && getComputedStyle(one).visibility !== 'hidden'
  const label = one => one.getAttribute('aria-label')
    || (one.labels && one.labels.length ? text(one.labels[0]) : '') || one.getAttribute('title')
    || one.getAttribute('data-placeholder') || one.getAttribute('placeholder') || ''
  const before = one => { let at = one
    while (at && !at.previousElementSibling) at = at.parentElement
    return at ? text(at.previousElementSibling).slice(0, 60) : '' }
  const add = (one, role, name, marks) => { if (found.length >= 80) return
    const id = `x${frame}_${found.length + 1}`
    one.setAttribute('data-bellhop', id)
    found.push([id, role, (name || one.id || '').slice(0, 100), marks || {}]) }
  const visit = root => {
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) visit(one.shadowRoot)
      if (one.hasAttribute('data-bellhop')) one.removeAttribute('data-bellhop')
      const role = one.getAttribute('role')
      const editable = one.getAttribute('contenteditable')
      if (editable !== null && editable !== 'false') {
        if (!(role === 'textbox' || role === 'searchbox' || role === 'combobox') && seen(one))
          add(one, 'textbox', label(one) || before(one), {value: text(one)})
      } else if (one.tagName === 'INPUT' && ['checkbox', 'radio', 'file'].includes(one.type)) {
        const box = one.getBoundingClientRect()
        const hidden = !seen(one) || box.width < 1 || box.height < 1
        const named = one.labels && [...one.labels].find(seen)
        if (hidden && one.type === 'file') add(one, 'file', label(one) || 'choose a file')
        else if (hidden && named) add(one, one.type, text(named), one.checked ? {checked: ''} : {})
      } else if (one.closest('canvas') && one.tagName !== 'CANVAS' && one.matches(OWN)) {
        add(one, 'button', label(one) || text(one))
      } else if (one.matches(OWN) || !seen(one)) { continue
      } else if (one.draggable && one.getAttribute('draggable') === 'true'
          || ['grab', 'move'].includes(getComputedStyle(one).cursor)
          && !(one.parentElement && ['grab', 'move'].includes(
            getComputedStyle(one.parentElement).cursor))) {
        add(one, 'draggable', label(one) || text(one))
      } else if (one.tabIndex === 0 && one.getAttribute('tabindex') !== null && !role) {
        add(one, 'focusable', label(one) || text(one))
      } } }
  visit(document)
  const body = document.body
  if (body && document.designMode === 'on' && !found.length) {
    let own = ''
    try { own = frameElement ? frameElement.title || frameElement.name || '' : '' } catch (_) {}
    add(body, 'textbox', own || 'text', {value: text(body)})
  }
  return found
}"""
"""Elements that can be used though the accessibility tree does not show them as such."""

_SCROLLERS = """
  const lists = () => { const page = document.scrollingElement || document.documentElement
    const all = [page]
    const visit = root => { for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) visit(one.shadowRoot)
      if (one !== page && one.scrollHeight > one.clientHeight + 20 && one.clientHeight > 60
          && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY)) all.push(one) } }
    visit(document)
    const size = one => one === page ? Infinity : one.clientWidth * one.clientHeight
    return all.sort((a, b) => size(b) - size(a)).slice(0, 6) }
  const height = one => one === document.scrollingElement ? innerHeight : one.clientHeight
  const left = one => one.scrollHeight - one.scrollTop - height(one)
  const wait = ms => new Promise(done => setTimeout(done, ms))
"""

BELOW = f"() => {{ {_SCROLLERS} return lists().some(one => left(one) > 40) }}"

SCROLL = f"""async down => {{ {_SCROLLERS}
  for (const one of lists()) {{ const was = one.scrollTop
    one.scrollBy({{top: (down ? 0.8 : -0.8) * height(one), behavior: 'instant'}})
    await wait(50)
    if (one.scrollTop !== was) return true }}
  return false }}"""

FIND = f"""async ([words, seconds]) => {{ {_SCROLLERS}
  const quoted = words.trim().replace(/\\s+/g, ' ').replace(/[.*+?^${{}}()|[\\]\\\\]/g, '\\\\$&')
  const named = new RegExp('(?<!\\\\w)' + quoted + '(?!\\\\w)', 'iu')
  const shown = one => named.test((one === document.scrollingElement ? document.body : one)
    .innerText.replace(/\\s+/g, ' '))
  const end = performance.now() + seconds * 1000
  for (const one of lists()) {{ let still = 0
    while (performance.now() < end) {{
      if (shown(one)) return true
      const was = one.scrollTop
      one.scrollBy({{top: 0.8 * height(one), behavior: 'instant'}})
      await wait(40)
      still = one.scrollTop === was ? still + 1 : 0
      if (still) await wait(200)
      if (still > 9) break }} }}
  return false }}"""
"""Scrolls one list after the other until words show."""

LABEL_OF = "element => element.labels && element.labels[0] || element.closest('label')"
