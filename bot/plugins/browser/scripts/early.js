(() => {
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
})()
