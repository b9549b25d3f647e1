frame => {
  const found = []
  const OWN = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],'
    + '[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=textbox],'
    + '[role=combobox],[role=slider],[role=searchbox],[role=spinbutton],[role=treeitem],'
    + '[role=gridcell],iframe,audio,video,dialog'
  const text = one => (one.innerText || one.textContent || '').trim().replace(/\s+/g, ' ')
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
}
