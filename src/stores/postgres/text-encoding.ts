/** The mark for characters that are stored in encoded form: a code point that Unicode reserves
 *  for such internal uses. PostgreSQL cannot store NUL, which callers and upstreams may send.
 *  Therefore NUL is stored as this mark and `0`, and the mark itself as the mark and `1`.
 *  Different texts remain different, so encoded texts can be compared directly. */
const mark = '\ufdd0'
const nul = '\0'
const encodings: Readonly<Record<string, string>> = { [nul]: `${mark}0`, [mark]: `${mark}1` }

/** Returns the encoded form of a text, for the database. */
export function encodeText(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text
  return text.replaceAll(/[\0\ufdd0]/g, character => encodings[character] ?? character)
}

/** Returns the text that `encodeText` has encoded. */
export function decodeText(stored: string): string {
  if (!stored.includes(mark)) return stored
  return stored.replaceAll(/\ufdd0([01])/g, (_, digit: string) => (digit === '0' ? nul : mark))
}

/** Returns JSON that PostgreSQL's `jsonb` accepts. The escape of NUL is replaced by NUL itself,
 *  which `encodeText` then encodes. The escape of half a surrogate pair is replaced by U+FFFD,
 *  which the database also stores for half a pair in a text. */
export function encodeJson(json: string): string {
  if (!json.includes('\\u')) return json
  return json.replaceAll(/\\(?:u(0000|d[89a-f]..)|.)/g, (whole, code?: string) =>
    code === undefined ? whole : code === '0000' ? nul : '\ufffd',
  )
}
