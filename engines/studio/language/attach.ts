import { paintedPart } from '../art/painted-parts.ts'
import type { ClothPattern, Colour, RelationKind } from '../scene.ts'
import { vases } from '../subjects/bunch.ts'
import { type Draft, isAnimate, isDressable, isPerson, type Mention, note, phraseOf } from './draft.ts'
import { colourWords } from './lexicon/colours.ts'
import { hairColours } from './lexicon/people.ts'
import { words } from './lexicon/senses.ts'

/** Categories of things that people hold in a hand. */
const heldCategories: ReadonlySet<string> = new Set(
  words('object, tool, toy, instrument, sport, food, fruit, vegetable, dish, dessert, drink, flower, plant, clothing, symbol'),
)

/** True when a thing fits into one or two hands (an umbrella, but not a sofa). */
export function isHoldable(mention: Mention): boolean {
  const match = mention.match
  return (
    match !== undefined &&
    (heldCategories.has(match.entry.category) || handheld.test(match.entry.noun) || isAnimate(mention)) &&
    (match.heightMetres <= 1.3 || match.entry.category === 'flower')
  )
}

/** Height in metres of a large plant when a person holds it: then only a cut stalk of the plant is
 *  drawn. */
const stalkMetres = 0.7

/** Things such as flags and ladders that exist in a small form for the hand and in a large form
 *  that stands by itself. The catalogue gives the large height; the drawing suits both forms. */
const handheld = /flag|banner|sign|umbrella|parasol|staff|spear|lance|torch|paddle|oar|ladder|broom|shield/

/** Reduces the height of a large plant or a tall thing to a size that can be held. */
export function cutToHand(mention: Mention): void {
  const match = mention.match
  if (match && match.entry.category === 'plant' && match.heightMetres > stalkMetres) mention.match = { ...match, heightMetres: stalkMetres }
  if (match && handheld.test(match.entry.noun) && match.heightMetres > 1.2) mention.match = { ...match, heightMetres: 1.2 }
}

const surfaces = /table|desk|shelf|bench|sofa|bed|chair|plate|tray|counter|rug|stool|cake|window/
const vessels = /basket|box|bowl|vase|bag|sack|bucket|jar|pot|crate|cart|wheelbarrow|barrel|boat|car\b|truck|van|nest|cage|chest|cup|mug/

/** Returns the relation between contents and the thing that contains or carries them: `in` becomes
 *  `on` for things without an inside, such as a table or the crown of a tree. */
export function contained(kind: RelationKind, holder: Mention): RelationKind {
  return kind !== 'in' || vessels.test(holder.match?.entry.noun ?? '') ? kind : 'on'
}

/** True for a plant that is put into water by its stem. */
function isFlower({ match }: Mention): boolean {
  return match?.entry.category === 'flower' || /flower|bouquet|blossom/.test(match?.entry.noun ?? '')
}

/** True for flowers that stand in a vase, a jug or a glass. The choice of the place ignores these
 *  flowers and considers their vessel instead. */
export function isCutFlower(mention: Mention): boolean {
  return isFlower(mention) && mention.relations.some(({ kind, target }) => kind === 'in' && vases.test(target.match?.entry.noun ?? ''))
}

/** Largest height of a cut flower, metres. */
const stemMetres = 0.45

/** Limits the height of flowers in a vase. A position that the prompt gives to the flowers ("roses
 *  in a vase on a table") is moved to the vase. */
export function cutStems(mention: Mention): void {
  const { match } = mention
  const vase = mention.relations.find(({ kind }) => kind === 'in')?.target
  if (vase && isCutFlower(mention)) {
    const moved = mention.relations.filter(({ kind, target }) => target !== vase && /^(on|beside|in-front-of)$/.test(kind))
    mention.relations = mention.relations.filter(relation => !moved.includes(relation))
    if (vase.relations.length === 0) vase.relations.push(...moved)
  }
  if (match && match.heightMetres > stemMetres && isCutFlower(mention)) mention.match = { ...match, heightMetres: stemMetres }
}

/** Attaches the thing that the prompt names after "with" to its owner (`source`): as a garment, a
 *  part, contents, a held thing, or a thing beside the owner. */
export function attachWith(source: Mention, mention: Mention, draft: Draft): void {
  if (
    attachFeature(source, mention, draft) ||
    takeHousePart(source, mention) ||
    takeFoliage(source, mention) ||
    takeWindows(source, mention, draft)
  )
    return
  if (!mention.match) return
  if (isTopping(source, mention) || isEmblem(source, mention)) {
    mention.relations.push({ kind: 'printed-on', target: source })
    return
  }
  if (isIngredient(source, mention)) {
    delete mention.match
    return
  }
  const noun = source.match?.entry.noun ?? source.setting?.setting ?? ''
  if (isPerson(source) && isHoldable(mention) && !isAnimate(mention)) source.relations.push({ kind: 'holding', target: mention })
  else if (surfaces.test(noun) && mention.match.heightMetres < 1) mention.relations.push({ kind: 'on', target: source })
  else if (vessels.test(noun) && (mention.match.heightMetres < 1 || isFlower(mention)))
    mention.relations.push({ kind: 'in', target: source })
  else if (isPartOf(source, mention)) mention.relations.push({ kind: 'on', target: source })
  else if (source.match) mention.relations.push({ kind: 'beside', target: source })
}

/** True for a geometric figure or symbol on a flat thing, as in "a flag with a red circle": it is
 *  drawn on the thing, not beside it. */
function isEmblem(source: Mention, mention: Mention): boolean {
  const isFlat = /flag|banner|shirt|sweater|hoodie|sign$|shield|cap$|poster|card$|mug|cup$|balloon|kite|sail$/.test(
    source.match?.entry.noun ?? '',
  )
  return isFlat && /^(symbol|shape)$/.test(mention.match?.entry.category ?? '')
}

const edible = /^(food|fruit|vegetable|dish|dessert|plant)$/

/** True for food on a pizza, a pie or a soup. These dishes are seen from above, so the food is
 *  drawn flat on them. */
function isTopping(source: Mention, mention: Mention): boolean {
  return /pizza|pie|salad|soup|oatmeal|porridge/.test(source.match?.entry.noun ?? '') && edible.test(mention.match?.entry.category ?? '')
}

/** True for an ingredient that the drawing of the dish already shows, such as the lettuce in a
 *  hamburger; it gets no drawing of its own. */
function isIngredient(source: Mention, mention: Mention): boolean {
  const has = includedFood.find(([dish]) => dish.test(source.match?.entry.noun ?? ''))?.[1]
  return has?.test(mention.match?.entry.noun ?? '') === true
}

const includedFood: readonly [RegExp, RegExp][] = [
  [/hamburger|burger/, /lettuce|leafy|tomato|cheese|bun|meat|patty/],
  [/sandwich|taco|burrito/, /lettuce|leafy|tomato|cheese|ham|meat|bread/],
  [/hot dog/, /sausage|bun|mustard/],
  [/noodle|ramen|steaming bowl/, /egg|noodle|chopstick/],
  [/pizza/, /cheese|pepperoni|salami/],
]

/** Reads "a tree with red leaves" and gives the colour to the crown of the tree. Returns false for
 *  other phrases. */
function takeFoliage(source: Mention, mention: Mention): boolean {
  const isTree = source.match?.entry.key.startsWith('tree:') === true
  const word = phraseOf(mention).toLowerCase()
  if (!isTree || !/(leaf|leaves|foliage|blossoms?|needles)$/.test(word)) return false
  const colour = mention.colours[0] ?? leafColour(word)
  if (colour) source.colours.push(colour)
  delete mention.match
  return true
}

/** Returns the colour in a phrase such as "red leaves". The catalogue knows this phrase as one
 *  name, so its colour was not read as an adjective. */
function leafColour(words: string): Colour | undefined {
  return words
    .split(' ')
    .map(word => colourWords.get(word))
    .find(colour => colour !== undefined)
}

/** Reads "a house with a blue door" and gives the colour to the part of the house. Returns false
 *  for other phrases. */
function takeHousePart(source: Mention, mention: Mention): boolean {
  const isOne = mention.count === undefined || mention.count === 1 || mention.isPlural
  const part = source.match?.entry.category === 'building' && isOne ? paintedPart(source.match, phraseOf(mention)) : undefined
  const [colour] = mention.colours
  if (part === undefined || colour === undefined) return false
  source.parts.push({ part, colour })
  delete mention.match
  delete mention.setting
  return true
}

/** Reads "a street with glowing windows". The windows belong to houses that the picture already
 *  shows, so they get no drawing of their own; glowing windows make it night, unless the prompt
 *  names a time. Returns false for other phrases. */
function takeWindows(source: Mention, mention: Mention, draft: Draft): boolean {
  const isPlace = source.setting !== undefined && !source.match
  const isBuilt = source.match?.entry.category === 'building' || source.match?.entry.category === 'landmark'
  if (!/^windows?$/.test(mention.match?.entry.noun ?? '') || !(isPlace || isBuilt)) return false
  if (mention.looks.includes('glowing') && draft.times.length === 0) draft.times.push('night')
  else if (mention.colours.length > 0 || (mention.count !== undefined && mention.count < 20)) note(draft, phraseOf(mention))
  delete mention.match
  delete mention.setting
  return true
}

function isPartOf(source: Mention, mention: Mention): boolean {
  const whole = source.match?.entry.category
  return (
    (whole === 'building' || whole === 'dessert' || whole === 'tree' || whole === 'watercraft') &&
    /flag|candle|fruit|lantern|light|star|strawberr|cherr|apple|banner|bird|ornament/.test(mention.match?.noun ?? '')
  )
}

/** Adds the mention to `source` when it is a garment, a worn thing, hair, a beard or a part of the
 *  body. Returns false when the mention is a separate thing. */
export function attachFeature(source: Mention, mention: Mention, draft: Draft): boolean {
  if (mention.hair || mention.beard) {
    takeHair(source, mention, draft)
    return true
  }
  if (mention.garment !== undefined || mention.worn !== undefined) return attachWear(source, mention, draft)
  const isBuiltIn = isPerson(source) || builtIn.test(source.match?.entry.category ?? '')
  if (!mention.isPart || (mention.match && mention.count !== undefined && !isBuiltIn)) return false
  if (isPerson(source) && takeFace(source, mention)) return true
  // The drawing of a thing includes its usual parts, so a part gets no drawing of its own. Its
  // colour is applied if the drawing supports it; any other description of the part is reported as
  // not drawn.
  const part = paintedPart(source.match, phraseOf(mention))
  const [colour] = mention.colours
  if (part !== undefined && colour !== undefined) source.parts.push({ part, colour })
  if ((colour !== undefined && part === undefined) || mention.size !== undefined || mention.looks.length > 0 || isCounted(mention))
    note(draft, phraseOf(mention))
  delete mention.match
  return true
}

/** Categories of things whose drawings include all their parts, such as the blades of a fan and the
 *  drawers of a chest. */
const builtIn =
  /^(furniture|vehicle|aircraft|watercraft|building|landmark|animal|bird|fish|insect|creature|object|tool|toy|instrument|clothing)$/

/** True when the prompt gives a number of parts that no drawing shows, such as "four eyes" or "just
 *  one rung". */
function isCounted(mention: Mention): boolean {
  return (
    mention.count !== undefined &&
    !/^(two|both|a pair of) .*(eyes|ears|wings|arms|legs|horns|hands|feet|wheels|doors)$|^four .*(legs|wheels|paws|hooves)$|horn$/i.test(
      phraseOf(mention),
    )
  )
}

/** Reads features of a face: "green eyes", "freckles", "a big smile". Returns false for other
 *  phrases. */
function takeFace(source: Mention, mention: Mention): boolean {
  const word = mention.words.at(-1)?.toLowerCase() ?? ''
  const [colour] = mention.colours
  if (/^eyes?$/.test(word) && colour) source.looks.push(`${colour.name} eyes`)
  else if (/^freckles?$/.test(word)) source.looks.push('freckled')
  else if (word === 'smile') source.looks.push('happy')
  else if (word === 'tears') source.looks.push('sad')
  else return false
  return true
}

function takeHair(source: Mention, mention: Mention, draft: Draft): void {
  if (!isPerson(source)) {
    note(draft, phraseOf(mention))
    return
  }
  const colour = mention.hair?.colour ?? mention.colours[0]?.name
  if (mention.beard && !mention.hair) {
    source.beard = true
    if (mention.size === 'large' || /long/.test(phraseOf(mention))) source.looks.push('long beard')
    if (colour !== undefined) source.hair = { colour, ...source.hair }
    return
  }
  const sizeStyle = mention.size === 'large' ? 'long' : mention.size === 'small' ? 'short' : undefined
  const style = mention.hair?.style ?? sizeStyle
  source.hair = { ...source.hair, ...(colour === undefined ? {} : { colour }), ...(style === undefined ? {} : { style }) }
}

/** Returns the `#rrggbb` of a hair colour by its name. Natural hair colours come first, because
 *  "red hair" is not the red of paint; other names are looked up in `palette`. */
export function hairHex(name: string, palette: ReadonlyMap<string, Colour>): string | undefined {
  return hairColours[name] ?? palette.get(name)?.hex
}

const clothPatterns: readonly ClothPattern[] = ['spotted', 'striped', 'checkered', 'flowery']

/** Dresses a person or an animal in the mention. A snowman, a robot, a scarecrow or any other
 *  being gets the worn thing as a separate subject. Returns false for all other things, which
 *  cannot wear anything. */
export function attachWear(source: Mention, mention: Mention, draft: Draft): boolean {
  const colour = mention.colours[0]
  const words = phraseOf(mention)
  if (isPerson(source) || isDressable(source)) {
    const pattern = clothPatterns.find(each => mention.looks.includes(each))
    if (mention.garment !== undefined)
      source.clothes.push({ kind: mention.garment, ...(colour ? { colour } : {}), ...(pattern ? { pattern } : {}) })
    else if (mention.worn !== undefined) source.wears.push({ kind: mention.worn, words, ...(colour ? { colour } : {}) })
    else return false
    return true
  }
  if (!isAnimate(source) && source.match?.noun !== 'snowman' && source.match?.noun !== 'robot' && source.match?.noun !== 'scarecrow')
    return false
  if (!mention.match) {
    note(draft, words)
    return true
  }
  source.relations.push({ kind: 'wearing', target: mention })
  return true
}
