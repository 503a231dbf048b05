/** Returns the text without the characters at its end that match `isCut`. The run time grows
 *  linearly with the text; the pattern `/[...]+$/` would be tried again from every character of
 *  each run. */
export function withoutEnd(text: string, isCut: RegExp): string {
  let end = text.length
  while (end > 0 && isCut.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
