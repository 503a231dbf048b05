/** Styles that users request and that do not exist here: the thing is drawn, and the style is
 *  reported as missing. */
const undrawn =
  /\b(?:double[- ]exposures?|isometric|steampunk(?! goggles)|dieselpunk|glitch(?: art| effect)|anaglyph|infrared (?=photo|picture|image|style)|x-ray (?=style|art)|holographic (?=style|art|foil)|tilt[- ]shift|fisheye|fish-eye)\b|双重曝光|等距视角|蒸汽朋克/giu
/** Matches words about the kind of picture only; its contents are described after them. */
const sheet = /^\s*(?:an? |the )?(?:artistic )?double[- ]exposure (?:(?:photo(?:graph)?|picture|image|portrait|art) )?(?:of|with|showing) /i

/** Removes words that would be read as things, and returns the styles that are not drawn. The run
 *  time grows linearly with the text. */
export function takeUndrawnManners(text: string): { text: string; notDrawn: string[] } {
  return { text: text.replace(sheet, ''), notDrawn: [...text.matchAll(undrawn)].map(([found]) => found.trim()) }
}
