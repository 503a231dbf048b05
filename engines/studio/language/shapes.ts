import type { ArtCatalogue } from '../art/entry.ts'
import type { ArtKey } from '../scene.ts'
import { type Draft, type Mention, note, phraseOf } from './draft.ts'
import { outlineOf } from './shape-look.ts'

/** The material with which the outline of another drawing is filled, by the noun of the thing: a
 *  cloud in the shape of a whale is a cloudy whale. */
const fillings: readonly [RegExp, string][] = [
  [/cloud|smoke|steam|cotton candy|foam/, 'cloudy'],
  [/bush|hedge|shrub|topiary|^tree$/, 'leafy'],
  [/cookie|biscuit|cracker|bread|cake|waffle|pancake|pretzel|bagel|donut|pastry|pie|pizza/, 'spongy'],
  [/chocolate/, 'chocolate'],
  [/cheese/, 'cheese'],
  [/jelly|jello|gummy|candy|lollipop|soap/, 'jelly'],
  [/^ice|iceberg|popsicle/, 'ice'],
  [/snow/, 'snow'],
  [/sand/, 'sand'],
  [/balloon|float|candle|toy/, 'plastic'],
  [/pillow|cushion|blanket|rug|carpet|mattress/, 'velvet'],
  [/teapot|mug|cup|bowl|vase|plate|pot|dish|planter/, 'ceramic'],
  [/building|house|castle|skyscraper|tower|hotel|museum|temple|church/, 'brick'],
  [/rock|stone|boulder|mountain|statue|sculpture|fountain|island/, 'stone'],
  [/box|package|chest|crate|drawer|clock|guitar box/, 'wooden'],
  [/pool|pond|lake|puddle/, 'water'],
  [/ring|pendant|necklace|earring|coin|medal|key|brooch|trophy|crown/, 'golden'],
  [/bottle|bulb|glass|window|jar|crystal/, 'glass'],
  [/kite|lantern|card|note|envelope/, 'paper'],
  [/fire|flame/, 'fire'],
]

/** Outlines of road signs that have their own drawing, by the key of the outline. */
const signs: readonly [RegExp, ArtKey][] = [
  [/diamond|gem-stone|rhombus/, 'drawn:diamond-sign'],
  [/triangle|pyramid/, 'drawn:triangle-sign'],
  [/circle|ball|sphere|round/, 'drawn:round-sign'],
]

/** Returns the key of the drawing for a thing with a special outline ("a cloud shaped like a
 *  whale"). A road sign or a heart-shaped balloon has a drawing of its own. For other things,
 *  the drawing of the outline is used (the whale) and is later filled with the material of the
 *  thing. Returns `key` for things without a special outline. When no material or outline is
 *  known, also reports that the thing has its usual shape. */
export function shapedArt(mention: Mention, key: ArtKey, { draft, art }: { draft: Draft; art: ArtCatalogue }): ArtKey {
  const shape = mention.looks.map(outlineOf).find(found => found !== undefined)
  if (shape === undefined) return key
  const outline = art.entries().find(entry => entry.key === shape)
  mention.looks = mention.looks.filter(look => outlineOf(look) === undefined)
  const noun = mention.match?.entry.noun ?? ''
  if (/hot-air balloon/.test(noun) && /heart/.test(shape) && art.has('drawn:heart-balloon')) return 'drawn:heart-balloon'
  const sign = /sign/.test(noun) ? signs.find(([words]) => words.test(outline?.key ?? ''))?.[1] : undefined
  if (sign && art.has(sign)) return sign
  const filling = fillings.find(([words]) => words.test(noun))?.[1]
  if (!outline || filling === undefined) {
    note(draft, `${phraseOf(mention)} (not shaped like ${outline?.noun ?? 'that'})`)
    // The shape is lost, but the surface of the thing is covered with the other drawing: an
    // armchair shaped like an avocado at least gets the look of an avocado.
    if (outline && /^(noto|drawn):/.test(outline.key)) mention.looks.push(`made of ${outline.key}`)
    return key
  }
  mention.looks.push(filling)
  return outline.key
}
