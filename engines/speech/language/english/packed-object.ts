/** Members of a large JSON object, found by name without ever being objects of their own: ten times less memory, and no time to build them. */

export interface PackedObject {
  /** The value's JSON text as bytes' places; undefined where there is no such member. */
  find(name: string): { from: number; to: number } | undefined
}

const [quote, backslash, comma, colon, open, close] = [...'"\\,:{}'].map(char => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
]

/** `json` is an object whose values are strings, numbers or flat objects, without spaces, from `from` (its brace) on. Names must have no escapes but in rare ones, which are not found.
 *  `onMember` sees each value's place once. */
export function packObject(json: Uint8Array, from = 0, onMember?: (value: { from: number; to: number }) => void): PackedObject {
  let places = new Uint32Array(1 << 16)
  let count = 0
  const put = (table: Uint32Array, nameFrom: number): void => {
    let slot = hashOf(json, nameFrom, nameEnd(json, nameFrom)) & (table.length - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
    table[slot] = nameFrom
  }
  for (let at = from + 1; at < json.length && json[at - 1] !== close; ) {
    if (json[at] !== quote) break
    if (count * 2 >= places.length) {
      const larger = new Uint32Array(places.length * 2)
      for (const place of places) if (place !== 0) put(larger, place)
      places = larger
    }
    put(places, at + 1)
    count++
    const value = nameEnd(json, at + 1) + 2
    const to = valueEnd(json, value)
    onMember?.({ from: value, to })
    at = to + 1
  }
  return {
    find(name) {
      const bytes = encoder.encode(name)
      for (let slot = hashOf(bytes, 0, bytes.length) & (places.length - 1); places[slot] !== 0; slot = (slot + 1) & (places.length - 1)) {
        const place = places[slot]!
        if (!isAt(json, place, bytes)) continue
        const value = place + bytes.length + 2
        return { from: value, to: valueEnd(json, value) }
      }
      return undefined
    },
  }
}

const encoder = new TextEncoder()

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

function isAt(json: Uint8Array, place: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (json[place + at] !== bytes[at]) return false
  return json[place + bytes.length] === quote && json[place + bytes.length + 1] === colon
}

function nameEnd(json: Uint8Array, from: number): number {
  let at = from
  while (json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

/** Right behind a value. */
function valueEnd(json: Uint8Array, from: number): number {
  if (json[from] === quote) return nameEnd(json, from + 1) + 1
  let at = from
  if (json[from] === open) {
    while (json[at] !== close) at = json[at] === quote ? nameEnd(json, at + 1) + 1 : at + 1
    return at + 1
  }
  while (json[at] !== comma && json[at] !== close) at++
  return at
}
