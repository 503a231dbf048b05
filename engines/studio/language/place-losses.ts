import type { Setting, SettingKind } from '../scene.ts'
import { type Draft, type Mention, note, phraseOf } from './draft.ts'
import { indoors } from './indoors.ts'

/** For each place that a prompt may name, the other places whose paintings show it, too. */
const seenIn: Partial<Record<SettingKind, readonly SettingKind[]>> = {
  mountains: [
    'village',
    'mountains',
    'hills',
    'snowfield',
    'lake',
    'river',
    'meadow',
    'field',
    'farm',
    'road',
    'railway',
    'waterfall',
    'volcano',
    'rooftop',
  ],
  jungle: ['waterfall', 'river', 'swamp'],
  forest: [
    'lake',
    'river',
    'waterfall',
    'meadow',
    'park',
    'garden',
    'hills',
    'mountains',
    'village',
    'road',
    'swamp',
    'jungle',
    'graveyard',
    'railway',
  ],
  sea: ['beach', 'island', 'harbour', 'underwater', 'rooftop'],
  beach: ['sea', 'island', 'rooftop'],
  lake: ['river', 'swamp', 'rooftop'],
  river: ['lake', 'waterfall'],
  waterfall: ['river'],
  street: ['city', 'village', 'road', 'market'],
  road: ['street', 'city', 'village', 'mountains'],
  city: ['street', 'rooftop', 'harbour'],
  garden: ['park', 'meadow', 'rooftop'],
  park: ['garden', 'meadow', 'playground'],
  field: ['farm', 'meadow', 'stadium', 'hills'],
  farm: ['field'],
  village: ['market', 'street'],
  harbour: ['lake', 'beach', 'sea', 'village'],
  snowfield: ['mountains', 'forest', 'village', 'hills'],
  space: ['moon', 'planet'],
  moon: ['space'],
  planet: ['space', 'moon'],
  table: ['kitchen', 'restaurant', 'cafe', 'window-table', 'room', 'garden', 'park'],
  kitchen: ['table', 'window-table'],
  stadium: ['field', 'gym'],
}
/** Places that are never reported as missing, such as the sky and a meadow: every outdoor scene
 *  shows something of them. */
const everywhere: ReadonlySet<SettingKind> = new Set<SettingKind>(['sky', 'meadow', 'hills', 'backdrop', 'abstract', 'wall', 'shelf'])

/** Adjectives that most places ignore, each with the places whose paintings show it. */
const unpainted: Readonly<Record<string, readonly SettingKind[]>> = {
  victorian: ['library'],
  medieval: ['village', 'castle-grounds', 'ruins'],
  abandoned: ['ruins', 'graveyard'],
  ruined: ['ruins'],
  futuristic: ['street', 'city', 'laboratory', 'planet', 'space'],
  industrial: ['workshop', 'garage'],
  luxury: [],
  chinese: [],
  japanese: ['street', 'city', 'gym'],
  mediterranean: [],
  overgrown: ['ruins', 'graveyard', 'jungle'],
  flooded: [],
  underground: ['cave'],
  alien: ['planet'],
  wet: ['street', 'city', 'stadium'],
}

/** Special kinds of a place that are painted like the usual one; a greenhouse is painted as a
 *  garden. */
const plainKinds: Readonly<Record<string, string>> = {
  greenhouse: 'a garden',
  zoo: 'a park',
  rides: 'a park',
  busstop: 'a street',
  station: 'a railway',
}

/** Reports the words about places that the picture does not show. */
export function notePlaceLosses(draft: Draft, setting: Setting, from: Mention | undefined): void {
  for (const mention of draft.mentions) {
    const place = mention.setting
    if (!place || mention === from || mention.match || mention.isNegated) continue
    if (!isSeen(place.setting, setting)) note(draft, phraseOf(mention))
  }
  for (const detail of from?.setting?.details ?? []) {
    const plain = plainKinds[detail]
    const hasIt = draft.mentions.some(({ match }) => /station|greenhouse|ride|wheel|coaster|carousel/.test(match?.entry.noun ?? ''))
    if (from && plain !== undefined && !hasIt) note(draft, `${phraseOf(from)} (drawn as ${plain})`)
  }
  for (const detail of from?.details ?? []) {
    const painted = unpainted[detail]
    if (painted && !painted.includes(setting.kind)) note(draft, detail)
  }
}

function isSeen(kind: SettingKind, { kind: place, details }: Setting): boolean {
  if (kind === place || everywhere.has(kind) || details.includes('deck')) return true
  if (kind === 'room') return indoors.has(place) || /^(table|window-table|shelf|wall)$/.test(place)
  return seenIn[kind]?.includes(place) === true
}
