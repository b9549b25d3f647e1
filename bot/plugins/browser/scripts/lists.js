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
