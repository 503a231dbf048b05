import type { Setting, SettingKind, StyleKind } from '../scene.ts'
import { isCutFlower } from './attach.ts'
import { type Draft, isAnimate, isPerson, type Mention, phraseOf } from './draft.ts'
import { indoors } from './indoors.ts'
import { inferSetting, outdoors } from './infer-setting.ts'
import { words } from './lexicon/senses.ts'

const surfaces: ReadonlySet<SettingKind> = new Set<SettingKind>(['table', 'shelf', 'window-table'])
const small: ReadonlySet<string> = new Set(
  words('food, fruit, vegetable, dish, dessert, drink, object, tool, toy, flower, plant, instrument, symbol, clothing'),
)

/** Returns the place of the scene, and the mention that names it (`from`): this mention is painted
 *  as the place, so it is not a subject. */
export function chooseSetting(draft: Draft): { setting: Setting; from?: Mention } {
  const candidates = draft.mentions.filter(
    mention => (mention.setting !== undefined && mention.compound.length === 0) || (mention.setting !== undefined && !mention.match),
  )
  const ranked = candidates
    .map(mention => ({ mention, score: score(mention, draft) }))
    .filter(({ score: value }) => value > 0)
    .sort((a, b) => b.score - a.score || a.mention.order - b.mention.order)
  const from = builtIn(ranked.map(({ mention }) => mention)) ?? ranked[0]?.mention
  const isEmptyDiagram = draft.details.includes('diagram') && !draft.mentions.some(({ match }) => match)
  if (draft.wantsBackdrop && !from?.isLocative && !(isEmptyDiagram && from)) return { setting: backdrop(draft) }
  if (!from?.setting) return { setting: withUse(inferred(draft), draft) }
  return { setting: withUse(described(from, draft), draft), from }
}

const land: ReadonlySet<SettingKind> = new Set<SettingKind>(['mountains', 'hills', 'forest', 'jungle', 'meadow', 'desert'])
const built: ReadonlySet<SettingKind> = new Set<SettingKind>([
  'village',
  'farm',
  'harbour',
  'market',
  'playground',
  'graveyard',
  'railway',
  'waterfall',
])

/** Returns the second candidate when it is built in the landscape of the first: for "a village in
 *  the mountains", the place is the village. Undefined in all other cases. */
function builtIn([first, second]: readonly Mention[]): Mention | undefined {
  if (!first?.setting || !second?.setting || !first.isLocative || !land.has(first.setting.setting)) return undefined
  return !second.isLocative && second.order < first.order && built.has(second.setting.setting) ? second : undefined
}

/** Adapts the place to the things in the prompt: a railway is seen from the side when a train is on
 *  it, and a sunken thing moves the place under water. */
function withUse(setting: Setting, draft: Draft): Setting {
  const things = draft.mentions.filter(mention => mention.match)
  const isRailed = (mention: Mention) => /train|tram|locomotive|railway|metro|subway|monorail/.test(mention.match?.entry.noun ?? '')
  if (setting.kind === 'railway' && things.some(isRailed)) return { ...setting, details: unique([...setting.details, 'broadside']) }
  // A river is painted so narrow that a boat would be wider than the water, so it becomes a lake.
  if (setting.kind === 'river' && things.some(({ match }) => match?.entry.habitat === 'water-surface' && match.heightMetres > 0.5))
    return { ...setting, kind: 'lake' }
  const hasSunk = things.some(mention => mention.details.includes('sunken'))
  return hasSunk && /^(sea|harbour|lake|river|beach|meadow)$/.test(setting.kind) ? { ...setting, kind: 'underwater' } : setting
}

function score(mention: Mention, draft: Draft): number {
  const sense = mention.setting
  if (!sense) return 0
  const far = mention.place?.depth === 'far' || mention.place?.vertical === 'top' ? -2 : 0
  if (surfaces.has(sense.setting))
    return holdsSmallThings(mention, draft) ? (isInKitchen(draft) ? 5.5 : 3.5) + far : sense.strength === 'place' && !mention.match ? 2 : 0
  if (isWindow(mention)) return 1.5
  if (sense.setting === 'wall') return isBackWall(mention, draft) ? (isPainted(mention, draft) ? 6 : 2.2) : 0
  if (isSeenFromOutside(mention, draft) || isBuiltUpon(mention, draft)) return 0
  const locative = mention.isLocative ? 2 : 0
  if (/^(interior|indoors?|室内)$/i.test(phraseOf(mention))) return 2.5
  if (sense.strength === 'place') return 3 + locative + far - (sense.setting === 'sky' ? 1.6 : 0)
  if (sense.strength === 'either')
    return mention.match && !mention.isLocative ? (hasRelation(mention, draft) ? 0.5 : 1) + far / 4 : 2 + locative + far
  return mention.isLocative && isStoodOn(mention, draft) ? 4 : 0
}

/** True for a cliff that carries a building, as in "a lighthouse on a cliff". The cliff is then a
 *  thing and not the place of the scene. */
function isBuiltUpon(mention: Mention, draft: Draft): boolean {
  return (
    mention.match?.entry.key === 'drawn:cliff' &&
    draft.mentions.some(
      ({ match, relations }) =>
        /^(building|landmark)$/.test(match?.entry.category ?? '') &&
        relations.some(({ target, kind }) => target === mention && kind === 'on'),
    )
  )
}

/** True for a building with another thing before, behind or beside it, as in "a bus in front of a
 *  school". The building is then seen from outside, so the scene is not in its rooms. */
function isSeenFromOutside(mention: Mention, draft: Draft): boolean {
  const isRoomOrHouse = mention.setting !== undefined && indoors.has(mention.setting.setting)
  return (
    isRoomOrHouse &&
    mention.match?.entry.category === 'building' &&
    draft.mentions.some(other => other.relations.some(({ target, kind }) => target === mention && outside.has(kind)))
  )
}

const outside: ReadonlySet<string> = new Set(['in-front-of', 'behind', 'beside', 'left-of', 'right-of', 'above', 'around'])

/** True for a wall that is only the background of the picture. False when a being is on the
 *  wall, or when something is above, behind or around it or between it and another thing: such a
 *  wall is a thing. */
function isBackWall(mention: Mention, draft: Draft): boolean {
  return !draft.mentions.some(other =>
    other.relations.some(
      ({ target, kind }) =>
        target === mention && (['above', 'behind', 'around', 'between', 'riding'].includes(kind) || (kind === 'on' && isAnimate(other))),
    ),
  )
}

/** True for a wall on which something is painted; the wall is then the place of the scene, whatever
 *  else the prompt names. */
function isPainted(mention: Mention, draft: Draft): boolean {
  return draft.mentions.some(other => other.relations.some(({ target, kind }) => target === mention && kind === 'printed-on'))
}

function hasRelation(mention: Mention, draft: Draft): boolean {
  return draft.mentions.some(other => other.relations.some(relation => relation.target === mention))
}

/** True when the picture shows only the top of this table or shelf: everything on it is small, and
 *  the prompt names no being and no other furniture. */
function holdsSmallThings(mention: Mention, draft: Draft): boolean {
  const near = draft.mentions.filter(
    other => other !== mention && other.match && !isCutFlower(other) && other.relations.some(relation => relation.target === mention),
  )
  // A thing above, below or beside the table shows that the whole table is meant.
  if (near.some(other => other.relations.some(({ target, kind }) => target === mention && apart.has(kind)))) return false
  // In "a suitcase and a dining table", the table is a thing of its own and not the place of the
  // suitcase.
  if (near.length === 0 && !mention.isLocative) return false
  const things = near.length > 0 ? near : draft.mentions.filter(other => other !== mention && other.match && !isCutFlower(other))
  if (draft.mentions.some(other => other !== mention && other.match?.entry.category === 'furniture')) return false
  return things.length > 0 && things.every(isSmall) && !draft.mentions.some(isAnimate)
}

/** True when the prompt also names a kitchen. The table then wins over the kitchen: on the floor of
 *  a painted kitchen, a bowl would look as large as the stove. */
function isInKitchen(draft: Draft): boolean {
  return draft.mentions.some(({ setting }) => setting?.setting === 'kitchen')
}

function isSmall({ match }: Mention): boolean {
  const height = match?.heightMetres ?? 1
  // Things of sport are of all sizes, so their height decides: a ball is small, a goal is not.
  return match?.entry.category === 'sport' ? height < 0.5 : small.has(match?.entry.category ?? '') && height < 0.9
}

const apart: ReadonlySet<string> = new Set(['above', 'under', 'left-of', 'right-of', 'behind', 'in-front-of'])

function isStoodOn(mention: Mention, draft: Draft): boolean {
  return !draft.mentions.some(other =>
    other.relations.some(relation => relation.target === mention && !['on', 'in', 'beside'].includes(relation.kind)),
  )
}

function described(from: Mention, draft: Draft): Setting {
  const others = draft.mentions.filter(
    mention => mention !== from && mention.setting !== undefined && (!mention.match || isWindow(mention)),
  )
  const kinds = others.map(mention => mention.setting?.setting ?? '')
  const hasWindow = from.setting?.setting === 'table' && draft.mentions.some(isWindow)
  // A lighthouse on a cliff implies the sea.
  const hasLight = draft.mentions.some(({ match }) => match?.noun === 'lighthouse')
  const isCoast =
    from.setting?.details.includes('cliff') === true && (hasLight || kinds.some(other => other === 'sea' || other === 'beach'))
  const isDeck = [from, ...others].some(mention => mention.setting?.details.includes('deck'))
  const kind = isDeck
    ? 'rooftop'
    : hasWindow || isOnSill(from, kinds, draft)
      ? 'window-table'
      : isCoast
        ? 'beach'
        : (from.setting?.setting ?? 'meadow')
  const details = [
    ...(from.setting?.details ?? []),
    ...from.details,
    ...from.looks,
    ...kinds,
    ...(isDeck && from.setting ? [from.setting.setting] : []),
    ...others.flatMap(mention => mention.setting?.details ?? []),
    ...draft.details,
  ]
  const colour = from.colours[0] ?? (kind === 'backdrop' ? draft.background : undefined)
  return {
    kind,
    words: phraseOf(from),
    details: unique(details.filter(detail => detail !== kind && detail !== '')),
    ...(colour ? { colour } : {}),
  }
}

/** True when all beings of the scene are small animals in or at a window of a room: they sit on the
 *  window sill. */
function isOnSill(from: Mention, others: readonly string[], draft: Draft): boolean {
  const beings = draft.mentions.filter(isAnimate)
  const fits = beings.length > 0 && beings.every(being => !isPerson(being) && (being.match?.heightMetres ?? 1) < 0.9)
  return fits && isWindow(from) && from.setting?.setting === 'room' && others.length === 0
}

function isWindow(mention: Mention): boolean {
  return mention.setting?.details.includes('window') === true
}

function backdrop(draft: Draft): Setting {
  return {
    kind: 'backdrop',
    words: 'background',
    details: unique(draft.details),
    ...(draft.background ? { colour: draft.background } : {}),
  }
}

function inferred(draft: Draft): Setting {
  const things = draft.mentions.filter(mention => mention.match && !isDepicted(mention, draft))
  const isPlain = draft.background !== undefined || (things.length > 0 && draft.styles.some(({ style }) => plainStyles.has(style)))
  const place = inferSetting(things)
  const isChildlike = draft.styles.some(({ style }) => style === 'crayon') && outdoors.has(place?.setting ?? 'meadow')
  const home = isPlain ? { setting: 'backdrop' as const, details: isChildlike ? ['lawn'] : [] } : place
  const sky =
    draft.details.includes('moon') || draft.mentions.some(({ match }) => /^(full |crescent |half )?moon$/.test(match?.entry.noun ?? ''))
  const found = home?.setting ?? (things.length > 0 ? 'meadow' : emptyPlace(draft))
  // The trees of a forest would hide the moon, so the forest becomes hills.
  const kind = sky && (found === 'forest' || found === 'jungle') ? 'hills' : found
  const isSnowy = draft.weather.includes('snow') && ['meadow', 'hills', 'park', 'farm'].includes(kind)
  return {
    kind: isSnowy && kind === 'meadow' ? 'snowfield' : kind,
    words: '',
    details: unique([...(home?.details ?? []), ...draft.details]),
    ...(draft.background ? { colour: draft.background } : {}),
  }
}

/** Returns the place for a prompt that names neither a drawable thing nor a place. An abstract
 *  prompt or mere colours give an abstract picture, a text to write gives a plain background,
 *  and words about time, season or weather give a landscape. Any other prompt gives a plain
 *  background or an abstract picture. */
function emptyPlace(draft: Draft): SettingKind {
  if (draft.isAbstract || draft.palette.length > 0) return 'abstract'
  // A prompt with only a text to write becomes a poster.
  if (draft.letterings.length > 0) return 'backdrop'
  if (draft.weather.includes('snow')) return 'snowfield'
  if (draft.styles.some(({ style }) => plainStyles.has(style)) && draft.times.length + draft.seasons.length + draft.weather.length === 0)
    return 'backdrop'
  if (draft.times.length + draft.seasons.length + draft.weather.length > 0) return 'hills'
  // The prompt named only things without a drawing. The background is plain then, because an
  // abstract picture might be taken for an attempt to draw them.
  return draft.notDrawn.size > 0 || draft.mentions.length > 0 ? 'backdrop' : 'abstract'
}

/** True for a thing that is shown on another thing, such as in a painting, or that is beside such a
 *  thing. Such a thing does not influence the choice of the place. */
function isDepicted(mention: Mention, draft: Draft): boolean {
  const isPrinted = ({ relations }: Mention) => relations.some(({ kind }) => kind === 'printed-on')
  const isBeside = (other: Mention) =>
    isPrinted(other) && other.relations.some(({ target, kind }) => target === mention && kind !== 'printed-on')
  return isPrinted(mention) || mention.relations.some(({ target }) => isPrinted(target)) || draft.mentions.some(isBeside)
}

/** Styles in which a thing is shown on a plain background when the prompt names no place: a logo, a
 *  pencil sketch, a blueprint, a painting on papyrus. */
const plainStyles: ReadonlySet<StyleKind> = new Set<StyleKind>(['flat', 'sketch', 'blueprint', 'papyrus', 'crayon', 'line-art'])

export function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)]
}
