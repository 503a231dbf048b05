/** Reads the few elements that answers of S3 have: small documents of a fixed shape, whose elements
 *  carry no attributes. Takes time proportional to the length of the text. */

/** Returns the content of every element with this name, in order. */
export function elementsOf(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`]
  const found: string[] = []
  for (let at = 0; ; ) {
    const start = xml.indexOf(open, at)
    const end = start < 0 ? -1 : xml.indexOf(close, start)
    if (end < 0) return found
    found.push(xml.slice(start + open.length, end))
    at = end + close.length
  }
}

/** Returns the text of the first element with this name; empty when there is none. */
export function textOf(xml: string, name: string): string {
  return decoded(elementsOf(xml, name)[0] ?? '')
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}

/** Returns the text with the characters that have a meaning in XML replaced by entities. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
