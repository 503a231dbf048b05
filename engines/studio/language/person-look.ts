import type { PersonLook } from '../scene.ts'
import { hairHex } from './attach.ts'
import type { Mention } from './draft.ts'
import { colourWords } from './lexicon/colours.ts'

/** Looks of the person a mention names: what the word implies, then what the prompt says. */
export function personLook(mention: Mention): PersonLook {
  const hint = mention.match?.person ?? { age: 'adult', gender: 'any' }
  const role = hint.role
  const hair = hairOf(mention)
  const skin = skinOf(mention)
  return {
    age: ageOf(mention, hint.age),
    gender: genderOf(mention, hint.gender),
    ...(skin === undefined ? {} : { skin }),
    ...(hair === undefined ? {} : { hair }),
    ...(mention.beard ? { beard: true } : {}),
    clothes: mention.clothes.map(({ kind, colour }) => (colour ? { kind, colour: colour.hex } : { kind })),
    wears: mention.wears.map(({ kind, colour }) => (colour ? { kind, colour: colour.hex } : { kind })),
    ...(role === undefined ? {} : { role }),
  }
}

function ageOf(mention: Mention, implied: PersonLook['age']): PersonLook['age'] {
  const said = mention.age
  if (said === undefined) return implied
  // "young woman" stays grown up; "little girl" and "young boy" are children anyway.
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

/** Colour words that are hair when said of a person. */
const hairOnly: ReadonlySet<string> = new Set(['blond', 'ginger', 'chestnut'])

/** "black woman" and "white man" are skin tones; "a blue man" is painted. */
function skinOf(mention: Mention): string | undefined {
  if (mention.skin !== undefined) return mention.skin
  const colour = mention.colours.find(item => !hairOnly.has(item.name))
  if (!colour) return undefined
  if (colour.name === 'black' || colour.name === 'brown') return '#6b4229'
  if (colour.name === 'white') return '#f3d3bd'
  return colour.hex
}
