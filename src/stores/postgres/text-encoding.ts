/** PostgreSQL stores every character but NUL, which callers and upstreams may send. In the database
 *  this mark, which Unicode reserves for such uses, stands before a 0 for NUL, and before a 1 for
 *  itself. Different texts stay different, so comparisons need nothing more. */
const mark = '\ufdd0'
const nul = '\0'
const encodings: Readonly<Record<string, string>> = { [nul]: `${mark}0`, [mark]: `${mark}1` }

/** Returns the text as it is stored. */
export function encodeText(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text
  return text.replaceAll(/[\0\ufdd0]/g, character => encodings[character] ?? character)
}

/** Returns the text that was stored. */
export function decodeText(stored: string): string {
  if (!stored.includes(mark)) return stored
  return stored.replaceAll(/\ufdd0([01])/g, (_, digit: string) => (digit === '0' ? nul : mark))
}

/** Returns JSON that PostgreSQL's `jsonb` takes: NUL itself in place of its escape, for
 *  `encodeText` to encode, and U+FFFD in place of half a surrogate pair, as in a text. */
export function encodeJson(json: string): string {
  if (!json.includes('\\u')) return json
  return json.replaceAll(/\\(?:u(0000|d[89a-f]..)|.)/g, (whole, code?: string) =>
    code === undefined ? whole : code === '0000' ? nul : '\ufffd',
  )
}
