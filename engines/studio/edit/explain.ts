/** Returns a sentence that names the parts of an instruction that were not understood and lists the
 *  possible edits; undefined when all parts were understood. */
export function explainNotUnderstood(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const quoted = words.map(part => `"${part}"`).join(', ')
  return `Not understood: ${quoted}. ${whatCanBeAsked}`
}

/** Sentence that tells users which edits an instruction can request. */
const whatCanBeAsked =
  'One can ask to add, remove, replace, move, resize or recolour a thing; to change the background, time of day, weather, season, style or mood; ' +
  'to brighten, darken, sharpen, blur, crop, rotate or flip the picture; to make it grey or sepia; to add a border or a text in quotation marks.'
