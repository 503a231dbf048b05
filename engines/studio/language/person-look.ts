import type { PersonLook } from '../scene.ts'
import { hairHex } from './attach.ts'
import type { Mention } from './draft.ts'
import { colourWords } from './lexicon/colours.ts'
import { famousLooks } from './lexicon/famous.ts'

/** Returns the appearance of a person. What the prompt says has priority over what the word for the
 *  person implies. */
export function personLook(mention: Mention): PersonLook {
  const hint = mention.match?.person ?? { age: 'adult', gender: 'any' }
  const role = hint.role
  const famous = famousLooks.get(mention.match?.noun ?? '')
  const hair = hairOf(mention) ?? famous?.hair
  const skin = skinOf(mention) ?? famous?.skin
  const eyes = eyesOf(mention)
  return {
    age: ageOf(mention, hint.age),
    gender: genderOf(mention, hint.gender),
    ...(skin === undefined ? {} : { skin }),
    ...(hair === undefined ? {} : { hair }),
    ...(eyes === undefined ? {} : { eyes }),
    ...((mention.beard ?? famous?.beard) ? { beard: true } : {}),
    clothes: [...(mention.clothes.length > 0 ? [] : (famous?.clothes ?? [])), ...mention.clothes.map(paint)],
    wears: [...(famous?.wears ?? []), ...mention.wears.map(paint)],
    ...(role === undefined ? {} : { role }),
  }
}

/** Returns a garment or a worn thing with its colour as `#rrggbb`. */
export function paint({ kind, colour, pattern }: Mention['clothes'][number]): PersonLook['clothes'][number] {
  return { kind, ...(colour ? { colour: colour.hex } : {}), ...(pattern ? { pattern } : {}) }
}

/** Returns the eye colour for words such as "green eyes". The eyes have their own table of colours,
 *  which are less saturated than paint of the same name. */
function eyesOf(mention: Mention): string | undefined {
  const name = mention.looks.map(look => /^(.+) eyes$/.exec(look)?.[1]).find(found => found !== undefined)
  return name === undefined ? undefined : (eyeColours[name] ?? colourWords.get(name)?.hex)
}

const eyeColours: Record<string, string> = {
  brown: '#7a4a26',
  blue: '#3f86cf',
  green: '#3f9a5f',
  grey: '#8a96a3',
  hazel: '#8a6a35',
  black: '#1d1a1c',
}

function ageOf(mention: Mention, implied: PersonLook['age']): PersonLook['age'] {
  const said = mention.age
  if (said === undefined) return implied
  // "Young" does not turn a "young woman" into a child, but "little" does. The words "girl" and
  // "boy" mean children in any case.
  if (said === 'child')
    return implied === 'adult' && !mention.words.some(word => /^(little|小|teenage|adolescent|年幼|幼小)$/i.test(word))
      ? 'adult'
      : implied === 'adult'
        ? 'child'
        : implied
  return said
}

function genderOf(mention: Mention, implied: PersonLook['gender']): PersonLook['gender'] {
  if (implied !== 'any') return implied
  const said = [...mention.words, ...mention.compound].join(' ').toLowerCase()
  if (/\b(female|woman|women|girl|lady)\b|女/.test(said)) return 'woman'
  if (/\b(male|man|men|boy)\b|男/.test(said)) return 'man'
  return implied
}

function hairOf(mention: Mention): PersonLook['hair'] {
  const named = mention.hair?.colour ?? mention.colours.find(item => hairOnly.has(item.name))?.name
  const colour = named === undefined ? undefined : hairHex(named, colourWords)
  const style = mention.hair?.style
  if (colour === undefined && style === undefined) return undefined
  return { ...(colour === undefined ? {} : { colour }), ...(style === undefined ? {} : { style }) }
}

/** Colour words that refer to hair when they describe a person. */
const hairOnly: ReadonlySet<string> = new Set(['blond', 'ginger', 'chestnut'])

/** Returns the skin colour that the words state. For "black", "brown" and "white" it is a
 *  natural skin tone; any other colour, as in "a blue man", is used as it is. Colours that mean
 *  hair are ignored. */
function skinOf(mention: Mention): string | undefined {
  if (mention.skin !== undefined) return mention.skin
  const colour = mention.colours.find(item => !hairOnly.has(item.name))
  if (!colour) return undefined
  if (colour.name === 'black' || colour.name === 'brown') return '#6b4229'
  if (colour.name === 'white') return '#f3d3bd'
  return colour.hex
}
