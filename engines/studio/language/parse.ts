import type { ArtCatalogue, ArtMatch } from '../art/entry.ts'
import type { Camera, Framing, Scene, Season, Setting, StyleKind, Subject, TimeOfDay, Weather } from '../scene.ts'
import { studioArt } from '../subjects/drawable.ts'
import { emptyLettered } from './canvases.ts'
import { readChinese } from './chinese.ts'
import { chooseSetting, unique } from './choose-setting.ts'
import { giveDiffering, takeDiffering } from './differing.ts'
import { createDraft, type Draft, type Mention, phraseOf } from './draft.ts'
import { readEnglish } from './english.ts'
import { takeFormat } from './formats.ts'
import { groundLetters, takeLetterMake } from './letter-make.ts'
import { famousLooks } from './lexicon/famous.ts'
import { mirrored } from './mirror-images.ts'
import { noteNamedMaps } from './named-maps.ts'
import { applyNegations } from './negation.ts'
import { readPainters } from './painters.ts'
import { namePronouns } from './person-pronouns.ts'
import { notePlaceLosses } from './place-losses.ts'
import { rephrase } from './rephrase.ts'
import { settleScenery } from './scenery.ts'
import { takeSolids } from './solids.ts'
import { splitByLanguage } from './split.ts'
import { makeSubjects } from './subjects.ts'
import { type FindArt, tokenise } from './tokens.ts'
import { takeUndrawnManners } from './undrawn-manners.ts'
import { takeViewFrame } from './view-frame.ts'
import { noteViewLosses } from './view-losses.ts'
import { takeReflection } from './water-reflection.ts'

export interface ParseOptions {
  /** The seed: decimal digits of a signed 64-bit integer. The scene keeps it. */
  seed: string
  /** How many things the engine may add that the prompt does not name, 0 to 1 (`Scene.extras`).
   *  Default 0.5. */
  extras?: number
  /** Things, weather, colours and styles that must not appear. */
  negativePrompt?: string
  /** Framing used when the prompt names none. */
  framing?: Framing
  /** True for a phrase of an edit instruction. There, the moon and the sun are things that can be
   *  added or removed, and not parts of the sky. */
  isFragment?: boolean
  /** The catalogue of drawings; the project's own by default. */
  art?: ArtCatalogue
  /** The look-up in the catalogue, to share its cache with other readings of the same text. */
  find?: FindArt
}

/** Returns a look-up in the catalogue that caches its results. */
export function finder(art: ArtCatalogue): FindArt {
  const known = new Map<string, ArtMatch | undefined>()
  const find = (word: string, language: 'en' | 'zh') => {
    const key = `${language}:${word}`
    if (!known.has(key)) known.set(key, art.find(word, language)[0])
    return known.get(key)
  }
  return Object.assign(find, { begins: (pair: string) => art.begins(pair), memory: { texts: new Map(), phrases: new Map() } })
}

/** Returns the scene for a prompt of 1 to about 8000 characters in English, Chinese or a mix. Never
 *  throws. Every content word either becomes part of the scene or is listed in `notDrawn`, as
 *  written; only praise and vague words such as "handsome" are ignored. */
export function parsePrompt(prompt: string, options: ParseOptions): Scene {
  const art = options.art ?? studioArt()
  const find = options.find ?? finder(art)
  return sceneOf(prompt, readDraft(prompt, find), { ...options, art, find })
}

/** Returns the scene for a draft. Changes the draft itself, for example its list of words that are
 *  not drawn, so a draft can be used only once. */
export function sceneOf(prompt: string, draft: Draft, options: ParseOptions & { art: ArtCatalogue; find: FindArt }): Scene {
  const { art, find } = options
  if (options.negativePrompt) applyNegations(draft, tokenise(options.negativePrompt, find), true)
  applyNegations(draft, draft.negated, false)
  takeSolids(draft, find)
  const { setting, from } = chooseSetting(draft)
  notePlaceLosses(draft, setting, from)
  const made = makeSubjects(draft, { setting, art, find, keepsSky: options.isFragment === true, ...(from ? { from } : {}) })
  const subjects = giveDiffering(draft, mirrored(made, options.seed))
  if (setting.details.includes('diagram') && setting.kind !== 'backdrop') draft.notDrawn.add('diagram')
  const letterings = letteringsOf(draft, subjects, from)
  emptyLettered(subjects, letterings)
  const camera = cameraOf(draft, subjects, options.framing)
  noteViewLosses(draft, prompt, { camera, setting, subjects, art })
  if (draft.madeWords && letterings.some(({ on }) => on)) draft.notDrawn.add(draft.madeWords)
  return settleScenery({
    version: 1,
    prompt,
    language: languageOf(prompt),
    seed: options.seed,
    setting: withPalette(withMoon(setting, draft), draft),
    time: timeOf(draft, setting, subjects),
    season: seasonOf(draft, setting, subjects),
    weather: weatherOf(draft),
    style: styleOf(draft),
    moods: unique(draft.moods),
    camera,
    subjects,
    letterings,
    ...(draft.format ? { format: draft.format } : {}),
    extras: options.extras ?? 0.5,
    notDrawn: [...draft.notDrawn],
  })
}

/** Reads a prompt into a draft, from which a scene can be built. */
export function readDraft(prompt: string, find: FindArt): Draft {
  const draft = createDraft()
  const cleaned = prompt.replace(/<[^<>]{0,60}>/g, ' ').replace(/(^|\s)--[a-z]+(\s+[\d:.]+)?/gi, ' ')
  const manners = takeUndrawnManners(cleaned)
  for (const manner of manners.notDrawn) draft.notDrawn.add(manner)
  const taken = takeFormat(readPainters(manners.text))
  if (taken.format) draft.format = taken.format
  const seen = takeReflection(taken.text)
  if (seen.isMirrored) draft.details.push('mirrored')
  const group = takeDiffering(seen.text)
  draft.differing = group.differing
  const made = takeLetterMake(group.text)
  const { text, through } = takeViewFrame(rephrase(made.text))
  if (through) draft.camera.through = through
  for (const part of splitByLanguage(namePronouns(tokenise(text, find), find))) {
    if (part.language === 'zh') readChinese(part.tokens, draft)
    else readEnglish(part.tokens, draft)
  }
  noteNamedMaps(draft, text)
  draft.letterings.unshift(...taken.letterings.map(lettering => ({ text: lettering })))
  groundLetters(draft, made)
  return draft
}

function languageOf(prompt: string): Scene['language'] {
  const chinese = /\p{Script=Han}/u.test(prompt)
  const latin = /[a-z]{2,}/i.test(prompt)
  return chinese ? (latin ? 'mixed' : 'zh') : 'en'
}

/** Returns the place with the colours that describe no particular thing. An abstract picture is
 *  painted in them; other places get them as details. */
function withPalette(setting: Setting, draft: Draft): Setting {
  if (draft.palette.length === 0) return setting
  const details = unique([...setting.details, ...draft.palette.map(colour => colour.name)])
  const first = draft.palette[0]
  return { ...setting, details, ...(setting.colour || !first || setting.kind !== 'abstract' ? {} : { colour: first }) }
}

/** Returns the place with the moon that the prompt names. Indoors, it is visible through a
 *  window. */
function withMoon(setting: Setting, draft: Draft): Setting {
  return draft.details.includes('moon') ? { ...setting, details: unique([...setting.details, 'moon']) } : setting
}

function timeOf(draft: Draft, setting: Setting, subjects: readonly Subject[]): TimeOfDay {
  // A moon in the daytime is shown only when the prompt names both.
  const isDayMoon = draft.times.includes('day') && draft.details.includes('moon')
  const special = isDayMoon ? undefined : draft.times.find(time => time !== 'day')
  if (special ?? draft.times[0]) return isDayMoon ? 'day' : (special ?? draft.times[0] ?? 'day')
  if (draft.weather.includes('aurora') || setting.details.includes('night') || draft.details.includes('neon')) return 'night'
  const sky = draft.mentions.find(mention => mention.setting?.setting === 'sky')?.colours[0]?.name ?? ''
  if (/orange|pink|red|purple|gold|peach|coral/.test(sky)) return 'sunset'
  if (subjects.some(subject => /firework|sky lantern|jack-o-lantern|ghost|campfire|^(vampire |fruit )?bat$/.test(subject.noun)))
    return 'night'
  return draft.styles.some(sense => sense.style === 'neon' || sense.style === 'synthwave') ? 'night' : 'day'
}

function seasonOf(draft: Draft, setting: Setting, subjects: readonly Subject[]): Season {
  const said = draft.seasons[0]
  if (said) return said
  if (setting.kind === 'snowfield' || draft.details.includes('snow') || draft.weather.includes('snow')) return 'winter'
  if (subjects.some(subject => /cherry|blossom|tulip|peach tree|樱/.test(subject.noun))) return 'spring'
  if (subjects.some(subject => /pumpkin|jack-o-lantern|scarecrow/.test(subject.noun)) || draft.moods.includes('autumn')) return 'autumn'
  if (subjects.some(subject => /christmas|santa|snowman|sleigh/.test(subject.noun))) return 'winter'
  return 'summer'
}

function weatherOf(draft: Draft): Weather[] {
  const all = unique(draft.weather)
  const harsh = all.filter(weather => weather !== 'clear')
  const isWet = harsh.some(weather => weather === 'rain' || weather === 'storm' || weather === 'snow')
  const kept = isWet ? harsh.filter(weather => weather !== 'cloudy') : harsh
  if (kept.length > 0) return kept
  return ['clear']
}

function styleOf(draft: Draft): StyleKind {
  const named = draft.styles.map(sense => sense.style)
  // In "an oil painting in the style of Monet", the impressionist style says more than "oil", so it
  // is chosen.
  const manner = named.includes('oil')
    ? named.find(style =>
        /^(impressionist|woodcut|pixel|pop-art|comic|anime|cubist|papyrus|pointillism|ukiyo-e|fresco|paper-cut|mosaic|cross-stitch)$/.test(
          style,
        ),
      )
    : undefined
  if (manner) return manner
  // When a prompt names several styles, as in "watercolor illustration", the first one is used that
  // says more than `illustration`, `photo` or `cinematic`.
  return (
    named.find(style => style !== 'illustration' && style !== 'photo' && style !== 'cinematic') ??
    named.find(style => style !== 'illustration') ??
    named[0] ??
    'illustration'
  )
}

function cameraOf(draft: Draft, subjects: readonly Subject[], framing: Framing | undefined): Camera {
  const natural: Framing = isFaceShot(subjects) ? 'medium' : subjects.some(subject => !subject.isBackground) ? 'full' : 'wide'
  return { framing: framing ?? natural, angle: 'eye', bokeh: false, ...draft.camera }
}

/** True for one person without a pose and an occupation who is famous or has a feature that only a
 *  nearer view shows, such as freckles. False when the prompt also names clothes at the legs of a
 *  person who is not famous, because the nearer view would cut them off. */
function isFaceShot(subjects: readonly Subject[]): boolean {
  const [only, ...others] = subjects.filter(subject => !subject.isBackground)
  if (only?.art !== 'rig:person' || !only.person || others.length > 0 || only.count > 1 || only.pose !== undefined) return false
  const { person, looks } = only
  const isLow = person.clothes.some(({ kind }) =>
    /trousers|jeans|skirt|kilt|dress|shorts|boots|shoes|robe|coat|kimono|armour|spacesuit|uniform/.test(kind),
  )
  const hasFace =
    looks.some(look => /^(happy|sad|angry|surprised|sleepy|proud|shouting|freckled|long beard)$| eyes$/.test(look)) ||
    person.beard === true ||
    person.eyes !== undefined ||
    person.hair !== undefined ||
    person.skin !== undefined ||
    person.wears.some(({ kind }) => /glasses|moustache|earrings|eye|mask|goggles/.test(kind))
  if (famousLooks.has(only.noun)) return only.person.role === undefined
  return hasFace && !isLow && only.person.role === undefined
}

function letteringsOf(draft: Draft, subjects: readonly Subject[], from: Mention | undefined): Scene['letterings'] {
  return draft.letterings.map(({ text, on, colour, place, made }) => {
    // Several things can be described by the same words; the order in the prompt tells which one
    // carries the text.
    const alike = on ? draft.mentions.filter(mention => mention.match && phraseOf(mention) === phraseOf(on)) : []
    const named = on && on !== from ? subjects.filter(subject => subject.words === phraseOf(on)) : []
    const bearer = named[on ? alike.indexOf(on) : 0] ?? named[0]
    const onPlace = on !== undefined && !bearer && on.setting !== undefined
    return {
      text,
      ...(bearer ? { on: bearer.id } : {}),
      ...(onPlace ? { onPlace } : {}),
      ...(place ? { place } : {}),
      ...(colour ? { colour } : {}),
      ...(made && !bearer ? { made } : {}),
    }
  })
}
