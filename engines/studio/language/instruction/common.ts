import type { ArtCatalogue } from '../../art/entry.ts'
import type { Colour, FramePlace, Scene, SettingKind } from '../../scene.ts'
import type { Draft } from '../draft.ts'
import type { Edit, Target } from '../edit-types.ts'
import { senseOf } from '../lexicon/lexicon.ts'
import { finder, parsePrompt, readDraft } from '../parse.ts'
import { type FindArt, tokenise } from '../tokens.ts'
import { withoutEnd } from '../trim.ts'

/** The objects that all rules for instructions need: the catalogue, a function that looks up words,
 *  and the quoted strings that were removed from the text. */
export interface InstructionContext {
  art: ArtCatalogue
  find: FindArt
  quotes: readonly string[]
}

export function createContext(art: ArtCatalogue, quotes: readonly string[]): InstructionContext {
  return { art, find: finder(art), quotes }
}

/** A phrase of an instruction, read in the same way as a short prompt. */
interface Meaning {
  scene: Scene
  draft: Draft
  /** The colour, when the phrase names only a colour and nothing to draw. */
  colour?: Colour
  isEmpty: boolean
}

export function meaningOf(phrase: string, context: InstructionContext): Meaning {
  const scene = parsePrompt(phrase, { seed: '0', art: context.art, find: context.find, extras: 0, isFragment: true })
  const draft = readDraft(phrase, context.find)
  const colour = onlyColour(phrase, context)
  const said =
    scene.subjects.length + draft.styles.length + draft.times.length + draft.seasons.length + draft.weather.length + draft.moods.length
  return {
    scene,
    draft,
    ...(colour ? { colour } : {}),
    isEmpty: said === 0 && !colour && scene.setting.words === '' && Object.keys(draft.camera).length === 0,
  }
}

const colourFillers = new Set(['article', 'filler', 'quality', 'de', 'be', 'size', 'look', 'colour', 'in', 'and'])

/** Returns the colour of a phrase that names only a colour, such as "a deep red" or 红色的 ("red");
 *  undefined for other phrases. */
export function onlyColour(phrase: string, { find }: InstructionContext): Colour | undefined {
  const tokens = tokenise(phrase, find)
  const colour = tokens
    .map(token => senseOf(token.senses, 'colour')?.colour ?? senseOf(token.senses, 'look')?.colour)
    .find(found => found !== undefined)
  const isOnly = tokens.every(token => token.kind !== 'word' || token.senses.some(sense => colourFillers.has(sense.kind)))
  return isOnly ? colour : undefined
}

/** Returns the first colour word in a phrase. */
export function anyColour(phrase: string, { find }: InstructionContext): Colour | undefined {
  return tokenise(phrase, find)
    .map(token => senseOf(token.senses, 'colour')?.colour)
    .find(found => found !== undefined)
}

const specials: [RegExp, string][] = [
  [/^(it|this|that|them|him|her|它|他|她|这个)$/i, 'it'],
  [
    /^((whole |entire )?(image|picture|photo|photograph|scene|everything|drawing|artwork|painting|frame|illustration|shot)|图片|图像|图|画面|整张图|照片|画|整个画面|整体|场景|全图|整幅画)$/i,
    'image',
  ],
  [/^(background|backdrop|setting|environment|surroundings|scenery|location|place|背景|环境|场景|后面的背景)$/i, 'background'],
  [/^(sky|天空|天)$/i, 'sky'],
  [/^(text|lettering|words?|caption|title|writing|watermark|logo text|文字|字|标题|水印)$/i, 'text'],
  [/^(people|persons?|humans?|everyone|人|人物|所有人|行人)$/i, 'person'],
  [/^(border|frame|边框|相框|框)$/i, 'border'],
  [/^(time|time of day|时间|day|daytime|night|morning|evening|sunset|sunrise|白天|夜晚|早晨|黄昏)$/i, 'time'],
  [/^(season|季节|summer|winter|spring|autumn|fall|夏天|冬天|春天|秋天)$/i, 'season'],
  [/^(weather|天气|rain|snow|fog|sun|sunshine|sunny weather|晴天|雨天|雨|雪)$/i, 'weather'],
  [/^((art )?style|look|风格|画风)$/i, 'style'],
]

/** Returns the thing in the picture to which a phrase refers; undefined when the phrase names
 *  nothing that a picture can contain. */
export function targetOf(phrase: string, context: InstructionContext): Target | undefined {
  const words = trimPhrase(phrase)
  if (words === '') return undefined
  const isAll = /^(all|every|each|both)\b|^(所有|全部|每)/i.test(words)
  const bare = words.replace(/^(all|every|each|both)( of)?( the)? /i, '').replace(/^(所有的?|全部的?|每个|每只)/, '')
  const special = specials.find(([pattern]) => pattern.test(bare))
  if (special) return { noun: special[1], words, ...(isAll ? { all: true } : {}) }
  const draft = readDraft(bare, context.find)
  const mention = draft.mentions.find(item => item.match !== undefined) ?? draft.mentions[0]
  const colour = mention?.colours[0]
  const noun = mention?.match?.noun.toLowerCase() ?? mention?.setting?.setting ?? skyNoun(bare, context)
  if (noun === undefined) return undefined
  const place = mention?.place ?? mention?.relations.find(relation => relation.target.place)?.target.place
  return {
    noun,
    words,
    ...(colour ? { colour } : {}),
    ...(place ? { place } : {}),
    ...(isAll || (mention?.isPlural && mention.count === undefined) ? { all: true } : {}),
  }
}

/** Returns the noun of a thing that an instruction can name although the same words in a prompt do
 *  not become a subject: "the clouds", "the hat", "the beard". Undefined for other phrases. */
function skyNoun(phrase: string, { find }: InstructionContext): string | undefined {
  const token = tokenise(phrase, find).findLast(
    item =>
      item.match !== undefined ||
      item.senses.some(sense => sense.kind === 'weather' || sense.kind === 'worn' || sense.kind === 'garment' || sense.kind === 'beard'),
  )
  if (!token) return undefined
  const worn = senseOf(token.senses, 'worn')?.worn ?? senseOf(token.senses, 'garment')?.garment
  return (
    worn ??
    token.match?.noun.toLowerCase() ??
    senseOf(token.senses, 'weather')?.weather[0] ??
    (senseOf(token.senses, 'beard') ? 'beard' : undefined)
  )
}

function trimPhrase(phrase: string): string {
  const bare = phrase.trim().replace(/^(the|a|an|this|that|these|those|my|its|his|her|their)\s+/i, '')
  return withoutEnd(bare, /[\s,.，。!！?？]/).replace(/的$/, '')
}

/** Returns the strength of an edit that the phrase requests, as a share of the full effect;
 *  `fallback` when it requests none. */
export function amountOf(phrase: string, fallback = 0.5): number {
  const percent = /(\d{1,3})\s*(%|percent|per cent)|百分之(\d{1,3})/i.exec(phrase)
  if (percent) return Math.min(1, Math.max(0.01, Number(percent[1] ?? percent[3]) / 100))
  if (/\b(completely|fully|totally|maximum|as much as possible)\b|完全|最大/i.test(phrase)) return 1
  if (/\b(slightly|a bit|a little|subtly|subtle|gently|somewhat|lightly|light|soft)\b|一点|稍微|略微|一些|轻微|稍/i.test(phrase)) return 0.2
  if (
    /\b(very|much|a lot|strongly|strong|heavily|heavy|significantly|dramatically|really|way|far|super|extremely)\b|很多|非常|大幅|强烈|特别|很|更加|极/i.test(
      phrase,
    )
  )
    return 0.9
  return fallback
}

/** Returns the position in the picture that a phrase names, such as "in the top left corner" or 左上角
 *  (the same in Chinese); undefined when it names none. */
export function placeOf(phrase: string, { find }: InstructionContext): FramePlace | undefined {
  let place: FramePlace | undefined
  for (const token of tokenise(phrase, find)) {
    const said = senseOf(token.senses, 'place')?.place ?? placeWords.find(([pattern]) => pattern.test(token.key))?.[1]
    if (said) place = { ...place, ...said }
  }
  return place
}

const placeWords: [RegExp, FramePlace][] = [
  [/^top$|^上面$|^顶端$/, { vertical: 'top' }],
  [/^bottom$|^下面$/, { vertical: 'bottom' }],
]

/** Returns the edits of the whole picture in a phrase: style (or grey or sepia), time, season,
 *  weather, mood, camera; empty when there are none. */
export function wholeEdits(meaning: Meaning): Edit[] {
  const { draft, scene } = meaning
  const edits: Edit[] = []
  const isGrey = /black[- ]and[- ]white|b&w|gr[ae]y ?scale|monochrome|黑白|灰度/i.test(scene.prompt)
  if (isGrey && !/ink|水墨|photo of/i.test(scene.prompt)) edits.push({ kind: 'grey' })
  else if (/\bsepia\b|棕褐|怀旧色/i.test(scene.prompt)) edits.push({ kind: 'sepia' })
  else if (draft.styles.length > 0) edits.push({ kind: 'style', style: scene.style })
  if (draft.times.length > 0) edits.push({ kind: 'time', time: scene.time })
  const seasonal = draft.seasons.length > 0
  if (draft.weather.length > 0) edits.push({ kind: 'weather', weather: scene.weather })
  if (seasonal) edits.push({ kind: 'season', season: scene.season })
  for (const mood of scene.moods) edits.push({ kind: 'mood', mood })
  if (Object.keys(draft.camera).length > 0) edits.push({ kind: 'camera', camera: draft.camera })
  return edits
}

/** Returns the edit that changes the place: to a plain background in the colour that the phrase
 *  names, to the place that it names, or to the typical place of the things that it names.
 *  Undefined when it names none of these. */
export function settingEdit(meaning: Meaning): Edit | undefined {
  const { scene, colour } = meaning
  if (colour) return { kind: 'setting', setting: { kind: 'backdrop', words: colour.name, details: [], colour } }
  const named = scene.setting.words !== '' && scene.setting.kind !== 'abstract'
  if (named || scene.subjects.length > 0) return { kind: 'setting', setting: { ...scene.setting, words: scene.prompt } }
  return undefined
}

export function plainSetting(kind: SettingKind, colour: Colour): Edit {
  return { kind: 'setting', setting: { kind, words: colour.name, details: [], colour } }
}

/** Returns the subjects of the phrase, to be added to the picture or to replace another one. Their
 *  ids are `n1`, `n2` and so on. */
export function newSubjects(meaning: Meaning): Scene['subjects'] {
  const ids = new Map(meaning.scene.subjects.map((subject, index) => [subject.id, `n${index + 1}`]))
  return meaning.scene.subjects.map(subject => ({
    ...subject,
    id: ids.get(subject.id) ?? subject.id,
    relations: subject.relations.flatMap(relation => {
      const of = ids.get(relation.of)
      const and = relation.and ? ids.get(relation.and) : undefined
      return of === undefined ? [] : [{ kind: relation.kind, of, ...(and ? { and } : {}) }]
    }),
  }))
}

export function quoteAt(text: string, context: InstructionContext): string | undefined {
  const found = /⟦(\d+)⟧/.exec(text)
  return found ? context.quotes[Number(found[1])] : undefined
}
