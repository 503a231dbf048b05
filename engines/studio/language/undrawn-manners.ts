/** Manners that users name and no style here has: the thing is drawn, the manner is said to be
 *  missing. */
const undrawn =
  /\b(?:double[- ]exposures?|isometric|steampunk(?! goggles)|dieselpunk|glitch(?: art| effect)|anaglyph|infrared (?=photo|picture|image|style)|x-ray (?=style|art)|holographic (?=style|art|foil)|tilt[- ]shift|fisheye|fish-eye)\b|双重曝光|等距视角|蒸汽朋克/giu
/** A word for the sheet only: what comes after it is the picture. */
const sheet = /^\s*(?:an? |the )?(?:artistic )?double[- ]exposure (?:(?:photo(?:graph)?|picture|image|portrait|art) )?(?:of|with|showing) /i

/** The prompt without words that would be read as things, and the manners that are not drawn.
 *  Reading takes time in proportion to the text. */
export function takeUndrawnManners(text: string): { text: string; notDrawn: string[] } {
  return { text: text.replace(sheet, ''), notDrawn: [...text.matchAll(undrawn)].map(([found]) => found.trim()) }
}
