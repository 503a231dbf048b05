/** Manners that users name and that no style here has: the thing is drawn, and the manner is
 *  reported as missing. */
const undrawn =
  /\b(?:double[- ]exposures?|isometric|steampunk(?! goggles)|dieselpunk|glitch(?: art| effect)|anaglyph|infrared (?=photo|picture|image|style)|x-ray (?=style|art)|holographic (?=style|art|foil)|tilt[- ]shift|fisheye|fish-eye)\b|双重曝光|等距视角|蒸汽朋克/giu
/** Words for the sheet only: the picture is described after them. */
const sheet = /^\s*(?:an? |the )?(?:artistic )?double[- ]exposure (?:(?:photo(?:graph)?|picture|image|portrait|art) )?(?:of|with|showing) /i

/** Takes out words that would be read as things, and returns the manners that are not drawn. Takes
 *  time in proportion to the text. */
export function takeUndrawnManners(text: string): { text: string; notDrawn: string[] } {
  return { text: text.replace(sheet, ''), notDrawn: [...text.matchAll(undrawn)].map(([found]) => found.trim()) }
}
