/** Pages that contain the gateway's public URL. */

/** Placeholder text for everything that depends on the base, with the function that replaces it. */
export type Marks = Readonly<Record<string, (base: string) => string>>

/** Returns a function from a base to the page as bytes, which concurrent answers share; strings
 *  would be copied for each. `make` returns the text with the placeholders; it runs once, on first
 *  use. */
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
