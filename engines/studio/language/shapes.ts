import type { ArtCatalogue } from '../art/entry.ts'
import type { ArtKey } from '../scene.ts'
import { type Draft, type Mention, note, phraseOf } from './draft.ts'
import { outlineOf } from './shape-look.ts'

/** How to fill the outline of another thing, by the thing that gets this outline. */
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

/** Outlines that have a special drawing. */
const signs: readonly [RegExp, ArtKey][] = [
  [/diamond|gem-stone|rhombus/, 'drawn:diamond-sign'],
  [/triangle|pyramid/, 'drawn:triangle-sign'],
  [/circle|ball|sphere|round/, 'drawn:round-sign'],
]

/** Gives a mention the drawing of its outline, filled to suit the thing; without a drawing of the
 *  outline, the words are reported as not drawn. */
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
    // Without a fitting drawing, an armchair shaped like an avocado at least gets the avocado's
    // outer appearance.
    if (outline && /^(noto|drawn):/.test(outline.key)) mention.looks.push(`made of ${outline.key}`)
    return key
  }
  mention.looks.push(filling)
  return outline.key
}
