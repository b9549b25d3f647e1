() => { /* lists.js */ return lists().some(one => left(one) > 40) }
