async down => { /* lists.js */
  for (const one of lists()) { const was = one.scrollTop
    one.scrollBy({top: (down ? 0.8 : -0.8) * height(one), behavior: 'instant'})
    await wait(50)
    if (one.scrollTop !== was) return true }
  return false }
