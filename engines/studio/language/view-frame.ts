import type { ViewFrame } from '../scene.ts'

const article = '(?:an?|the|my|his|her|their|our|your|someone’s|some|its)\\s+'
/** Matches the adjectives that may stand between the article and the word for the frame. */
const before = '(?:[a-z-]+\\s+){0,3}?'
const frames: readonly [words: string, frame: ViewFrame][] = [
  ['(?:car|taxi|bus|truck|van|front|back|driver’s) (?:window|windshield|windscreen)|windshield|windscreen|(?:car|truck|van)', 'car'],
  ['(?:air)?plane(?: window)?|aircraft(?: window)?|(?:airplane|plane) window', 'plane'],
  ['portholes?|submarine(?: window)?|space ?(?:ship|craft|station|capsule)(?: window)?|ship’s window', 'porthole'],
  ['(?:open )?(?:doorway|door|gate|gateway)', 'doorway'],
  ['arch|archway|arches|colonnade', 'arch'],
  ['tent|tipi|teepee|yurt', 'tent'],
  ['cave|cavern', 'cave'],
  ['keyhole', 'keyhole'],
  ['binoculars|spyglass|telescope|scope', 'binoculars'],
  ['hole|crack|knothole|tunnel|pipe|tube|magnifying glass', 'hole'],
  ['windows?|window ?pane|glass|house|room|cabin|train|cafe|bedroom|kitchen|office', 'window'],
]
const named = `(?:${frames.map(([words], index) => `(?<f${index}>${words})`).join('|')})\\b(?!\\s+(?:window|windshield))`
const tail = '(?:\\s+of\\s+(?:an?|the|my)\\s+(?:[a-z-]+\\s+)?[a-z-]+)?'
/** Matches "seen through a window" and similar words: the viewer looks through the window, so the
 *  window frames the picture and is not a subject of it. */
const seen = new RegExp(
  `\\b(?:seen|viewed|visible|view(?=\\s+(?:through|from|out))|looking|glimpsed|framed|photographed|observed)\\s+(?:(?:out|in)\\s+)?(?:through|from inside(?: of)?|from within|out of|from out of|from|by)\\s+(?:${article})?${before}${named}${tail}`,
  'i',
)
/** Matches "through the window" at the start or the end of the prompt. */
const through = new RegExp(
  `(?:^|,\\s*)(?:through|from inside(?: of)?|from within)\\s+(?:${article})${before}${named}${tail}|\\bview(?:ed)?\\s+through\\s+(?:${article})?${before}${named}${tail}`,
  'i',
)
/** Matches phrases such as "a view of the sea from the window", in which the place (`what`) is
 *  between "view" and the frame. */
const view = new RegExp(
  `\\bview\\s+of\\s+(?<what>[^,.;]{2,80}?)\\s+(?:through|from inside(?: of)?|from within|from|out of)\\s+(?:${article})${before}${named}${tail}`,
  'i',
)
/** Matches phrases such as "seen from the gate". The viewer stands there, so the opening is not in
 *  front of the viewer and frames nothing. */
const outside =
  /\bfrom\s+(?:(?:an?|the|my)\s+)?(?:[a-z-]+\s+){0,3}?(?:arch|gate|hole|house|room|train|cafe|bedroom|kitchen|office|glass|pipe|tube|tunnel|car|truck|van|telescope|door)\b/i

/** Returns the frame through which the viewer looks, if any, and the text without the words for it.
 *  In "a cat looking through a window", the cat looks and not the viewer, so there is no frame. */
export function takeViewFrame(text: string): { text: string; through?: ViewFrame } {
  for (const pattern of [view, seen, through]) {
    const found = pattern.exec(text)
    if (!found || (pattern === seen && /looking/i.test(found[0]) && !/^\s*(?:a\s+)?(?:view\s+)?$/i.test(text.slice(0, found.index))))
      continue
    if (outside.test(found[0]) && !/from (?:inside|within)/i.test(found[0])) continue
    const index = frames.findIndex((_, at) => found.groups?.[`f${at}`] !== undefined)
    const frame = /\bof\s+(?:an?|the|my)\s+(?:space|submarine|ship|boat)/i.test(found[0]) ? 'porthole' : frames[index]?.[1]
    if (frame === undefined) continue
    const rest = `${text.slice(0, found.index).replace(/[\s,]+(?:as)?$/, '')}${found.groups?.what ? ` ${found.groups.what}` : ''} ${text.slice(found.index + found[0].length)}`
    return rest.trim() === '' ? { text } : { text: rest, through: frame }
  }
  return { text }
}
