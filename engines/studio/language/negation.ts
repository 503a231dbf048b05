import { type Draft, isPerson } from './draft.ts'
import { senseOf } from './lexicon/lexicon.ts'
import type { Token } from './tokens.ts'

/** Removes from the draft what the tokens exclude. With `isStrict`, for a negative prompt, matching
 *  things are removed wherever they are. Without it, only words about weather and background have
 *  an effect: "no hat" inside a prompt must not remove the hats of other subjects. */
export function applyNegations(draft: Draft, tokens: readonly Token[], isStrict: boolean): void {
  for (const token of tokens) {
    if (token.kind !== 'word') continue
    dropWeather(draft, token)
    if (isStrict) dropNamed(draft, token)
  }
}

function dropWeather(draft: Draft, token: Token): void {
  const isCloud = /^clouds?$|云/.test(token.key)
  if (isCloud) {
    draft.weather = draft.weather.filter(weather => weather !== 'cloudy' && weather !== 'overcast')
    draft.weather.push('clear')
    draft.details.push('cloudless')
  }
  for (const sense of token.senses) {
    if (sense.kind === 'weather') draft.weather = draft.weather.filter(weather => !sense.weather.includes(weather) || weather === 'clear')
    if (sense.kind === 'backdrop') draft.wantsBackdrop = true
  }
}

function dropNamed(draft: Draft, token: Token): void {
  for (const sense of token.senses) {
    if (sense.kind === 'style') draft.styles = draft.styles.filter(other => other.style !== sense.style)
    if (sense.kind === 'mood') draft.moods = draft.moods.filter(mood => mood !== sense.mood)
    if (sense.kind === 'time') draft.times = draft.times.filter(time => time !== sense.time)
    if (sense.kind === 'season') draft.seasons = draft.seasons.filter(season => season !== sense.season)
    if (sense.kind === 'lettering') draft.letterings = []
    if (sense.kind === 'setting')
      draft.mentions = draft.mentions.filter(mention => mention.match ?? mention.setting?.setting !== sense.setting)
    if (sense.kind === 'colour') {
      draft.palette = draft.palette.filter(colour => colour.name !== sense.colour.name)
      for (const mention of draft.mentions) mention.colours = mention.colours.filter(colour => colour.name !== sense.colour.name)
    }
    if (sense.kind === 'worn') for (const mention of draft.mentions) mention.wears = mention.wears.filter(({ kind }) => kind !== sense.worn)
    if (sense.kind === 'garment')
      for (const mention of draft.mentions) mention.clothes = mention.clothes.filter(({ kind }) => kind !== sense.garment)
    if (sense.kind === 'beard') for (const mention of draft.mentions) mention.beard = false
  }
  const match = token.match
  if (!match || senseOf(token.senses, 'quality')) return
  const isAnyone =
    match.person !== undefined && match.person.role === undefined && match.person.gender === 'any' && match.person.age === 'adult'
  const gone = draft.mentions.filter(
    mention =>
      (isAnyone && isPerson(mention)) ||
      (mention.match?.entry.key === match.entry.key && (!match.person || mention.match.noun === match.noun)),
  )
  draft.mentions = draft.mentions.filter(mention => !gone.includes(mention))
  for (const mention of draft.mentions) {
    mention.relations = mention.relations.filter(relation => !gone.includes(relation.target))
  }
}
