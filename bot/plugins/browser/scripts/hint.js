element => {
  const use = element.querySelector('use')
  const icon = element.matches('[class*=icon], [class*="fa-"], [data-icon]') ? element
    : element.querySelector('[class*=icon], [class*="fa-"], [data-icon], img, i')
  const file = address => (address || '').split(/[\/#]/).pop().replace(/\.\w+$/, '')
  const parts = [element.getAttribute('title'), element.getAttribute('placeholder'),
    element.getAttribute('data-tooltip'), use && file(use.getAttribute('href')
      || use.getAttribute('xlink:href')), icon && (icon.getAttribute('data-icon')
      || icon.getAttribute('class') || file(icon.getAttribute('src'))),
    element.getAttribute('name'), element.getAttribute('data-testid'), element.id,
    element.getAttribute('class'), file(element.getAttribute('href'))]
  return [String(parts.find(one => one && one.trim()) || '').trim().slice(0, 60),
    element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || '']
}
