/** Pages that contain the gateway's public URL. */

/** Placeholder texts in a page, each with the function that creates its replacement from the public
 *  URL. */
export type Marks = Readonly<Record<string, (base: string) => string>>

/** Returns a function that fills in the public URL and returns the page as bytes. Concurrent
 *  answers share these bytes; a string would be copied for each. `make` returns the text with its
 *  placeholders, and runs once, on first use. */
export function basedPage(make: () => string, marks: Marks): (base: string) => Buffer {
  let text: string | undefined
  let last: { base: string; bytes: Buffer } | undefined
  return base => {
    if (last?.base === base) return last.bytes
    text ??= make()
    const filled = Object.entries(marks).reduce((page, [mark, of]) => page.replaceAll(mark, () => of(base)), text)
    last = { base, bytes: Buffer.from(filled) }
    return last.bytes
  }
}
