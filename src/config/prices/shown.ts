/** Largest number of characters of a name or message that are shown. */
const mostShown = 200

/** Returns text from a price list for the terminal: control characters and invisible marks, such as
 *  those that change the direction of writing, are escaped, and long text is cut. */
export function shown(text: string): string {
  const cut = text.length > mostShown ? `${text.slice(0, mostShown)}...` : text
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, mark => `\\u{${mark.codePointAt(0)?.toString(16)}}`)
}
