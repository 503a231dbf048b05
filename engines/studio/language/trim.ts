/** The text without the characters at its end that `isCut` fits: what `/[...]+$/` does, but in
 *  one pass. That pattern starts anew at every character of a run inside the text. */
export function withoutEnd(text: string, isCut: RegExp): string {
  let end = text.length
  while (end > 0 && isCut.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
