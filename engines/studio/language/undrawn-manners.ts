/** Matches styles that users request and that the engine cannot draw, such as "steampunk". The
 *  subject is drawn in the usual style, and the words are reported as not drawn. */
const undrawn =
  /\b(?:double[- ]exposures?|isometric|steampunk(?! goggles)|dieselpunk|glitch(?: art| effect)|anaglyph|infrared (?=photo|picture|image|style)|x-ray (?=style|art)|holographic (?=style|art|foil)|tilt[- ]shift|fisheye|fish-eye)\b|双重曝光|等距视角|蒸汽朋克/giu
/** Matches the words about the kind of picture at the beginning of a prompt, such as "a double
 *  exposure photo of". */
const sheet = /^\s*(?:an? |the )?(?:artistic )?double[- ]exposure (?:(?:photo(?:graph)?|picture|image|portrait|art) )?(?:of|with|showing) /i

/** Returns the text without the words about a double exposure, which would otherwise be read as a
 *  thing, and the styles in the text that are not drawn. The run time grows linearly with the
 *  text. */
export function takeUndrawnManners(text: string): { text: string; notDrawn: string[] } {
  return { text: text.replace(sheet, ''), notDrawn: [...text.matchAll(undrawn)].map(([found]) => found.trim()) }
}
