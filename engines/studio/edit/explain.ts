/** Returns a sentence about the parts of an instruction that were not understood and the edits that
 *  are possible; undefined when all parts were understood. */
export function explainNotUnderstood(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const quoted = words.map(part => `"${part}"`).join(', ')
  return `Not understood: ${quoted}. ${whatCanBeAsked}`
}

/** The abilities of the instruction editor, as a sentence for users. */
const whatCanBeAsked =
  'One can ask to add, remove, replace, move, resize or recolour a thing; to change the background, time of day, weather, season, style or mood; ' +
  'to brighten, darken, sharpen, blur, crop, rotate or flip the picture; to make it grey or sepia; to add a border or a text in quotation marks.'
