/** Pages that name where the gateway is reached. */

/** Text in place of what differs with the base, until it is known. */
export type Marks = Readonly<Record<string, (base: string) => string>>

/** The page for a base as bytes, which all answers under way share: of a text each would have a copy. `make` gives its text with the names of the marks in their places, once, when it is first asked for. */
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
