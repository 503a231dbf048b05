/** Pages that contain the gateway's public URL. */

/** The placeholders in a page: each text with the function that returns its replacement for a
 *  public URL. */
export type Marks = Readonly<Record<string, (base: string) => string>>

/** Returns a function that returns the page for a public URL, as bytes. Successive answers for
 *  the same URL share these bytes, whereas a string would be copied for each answer. `make`
 *  returns the text with its placeholders; it runs once, on first use. */
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
