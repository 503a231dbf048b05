const water = '(?:water|lake|pond|river|sea|ocean|puddles?|pool|canal|stream|bay|lagoon|fountain|harbou?r)'
const surface = `(?:an?|the|its|some)?\\s*(?:(?:still|calm|clear|quiet|big|small|large|shallow|smooth|glassy|frozen|wet|dark|blue|mountain|nearby|rain|mirror-like|tranquil|peaceful|alpine) ){0,3}(?:surface of (?:the|an?) )?${water}(?: (?:below|beneath it|in front of it|on the (?:street|ground|road|pavement|sidewalk)))?`
/** Match phrases such as "and its reflection in the water", "reflected in a lake" and, at the
 *  beginning, "a reflection of". */
const phrases = [
  new RegExp(
    `,?\\s*(?:(?:and|with)\\s+)?(?:its|their|his|her|the|a)\\s+(?:clear |perfect |mirror )?reflections?\\s+(?:(?:is|are)\\s+)?(?:(?:seen|visible|shown)\\s+)?(?:in|on|off)\\s+${surface}`,
    'i',
  ),
  new RegExp(
    `,?\\s*(?:and\\s+)?(?:(?:is|are|being)\\s+)?(?:reflected|mirrored|reflecting|mirroring)\\s+(?:itself\\s+|perfectly\\s+|clearly\\s+)?(?:in|on|off)\\s+${surface}`,
    'i',
  ),
  new RegExp(`^\\s*(?:an? |the )?(?:perfect |clear )?reflection of (?=.{2,80}(?:in|on) ${surface})`, 'i'),
]
const after = new RegExp(`\\s+(?:in|on)\\s+${surface}(?=\\s*(?:$|[.,;]))`, 'i')

/** Returns the prompt without the words about a reflection in water; `isMirrored` is true when it
 *  had such words. Words about reflections in mirrors, windows and chrome stay. */
export function takeReflection(written: string): { text: string; isMirrored: boolean } {
  if (!/reflect|mirror/i.test(written)) return { text: written, isMirrored: false }
  // The patterns would start a new search at every character of a run of white space, so each run
  // is shortened to one space.
  const text = written.replace(/\s+/g, ' ')
  const [its, passive, title] = phrases
  for (const pattern of [its, passive]) if (pattern?.test(text)) return { text: text.replace(pattern, ''), isMirrored: true }
  if (title?.test(text)) return { text: text.replace(title, '').replace(after, ''), isMirrored: true }
  return { text: written, isMirrored: false }
}
