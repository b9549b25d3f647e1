async ([words, seconds]) => { /* lists.js */
  const quoted = words.trim().replace(/\s+/g, ' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const named = new RegExp('(?<!\\w)' + quoted + '(?!\\w)', 'iu')
  const shown = one => named.test((one === document.scrollingElement ? document.body : one)
    .innerText.replace(/\s+/g, ' '))
  const end = performance.now() + seconds * 1000
  for (const one of lists()) { let still = 0
    while (performance.now() < end) {
      if (shown(one)) return true
      const was = one.scrollTop
      one.scrollBy({top: 0.8 * height(one), behavior: 'instant'})
      await wait(40)
      still = one.scrollTop === was ? still + 1 : 0
      if (still) await wait(200)
      if (still > 9) break } }
  return false }
