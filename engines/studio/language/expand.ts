import type { ArtCatalogue } from '../art/entry.ts'
import type { Random } from '../drawing.ts'
import { createRandom } from '../random.ts'
import type { Scene, SettingKind } from '../scene.ts'
import { studioArt } from '../subjects/drawable.ts'
import type { Draft } from './draft.ts'
import { type Additions, additions, settingPhrases } from './expand-words.ts'
import { indoors } from './indoors.ts'
import { finder, readDraft, sceneOf } from './parse.ts'
import { withoutEnd } from './trim.ts'

type Surroundings = 'outdoors' | 'indoors' | 'space' | 'underwater' | 'table' | 'plain'

/** Returns a longer prompt in the same language: the original prompt, followed by phrases for the
 *  place, time of day, weather, light, colours, framing and finish, each only when the prompt
 *  leaves it open. The seed chooses the phrases; `parsePrompt` understands every added word. A
 *  prompt for an abstract picture or a plain background only gets phrases for colours and
 *  finish. */
export function expandPrompt(prompt: string, seed: string, options: { art?: ArtCatalogue } = {}): string {
  const art = options.art ?? studioArt()
  const find = finder(art)
  const draft = readDraft(prompt, find)
  const scene = sceneOf(prompt, draft, { seed, art, find })
  const random = createRandom(`${seed}/expand`)
  const isChinese = scene.language === 'zh' || (scene.language === 'mixed' && /\p{Script=Han}.*\p{Script=Han}/u.test(prompt))
  const words = isChinese ? additions.zh : additions.en
  const parts = choose({ scene, draft, random, words, isChinese })
  const body = withoutEnd(prompt, /[\s,，.。;；]/).trim()
  const comma = isChinese ? '，' : ', '
  return [body, ...parts].filter(part => part !== '').join(comma)
}

interface Choice {
  scene: Scene
  draft: Draft
  random: Random
  words: Additions
  isChinese: boolean
}

function choose({ scene, draft, random, words, isChinese }: Choice): string[] {
  const around = surroundingsOf(scene.setting.kind)
  const parts: string[] = []
  const add = (name: string, list: readonly string[]) => {
    const phrase = list.length > 0 ? random.fork(name).pick(list) : ''
    if (phrase !== '') parts.push(phrase)
  }
  const place = placePhrase(scene)
  if (scene.setting.words === '' && place && scene.setting.kind !== 'abstract' && !draft.wantsBackdrop)
    parts.push(isChinese ? place[1] : place[0])
  const isQuiet = draft.negated.length > 0
  if (around === 'outdoors' && draft.times.length === 0) add('time', isNightly(scene) ? [] : words.times)
  if (around === 'outdoors' && draft.weather.length === 0 && !isQuiet && draft.seasons.length === 0)
    add('weather', scene.time === 'night' ? words.nights : words.weather)
  if (around === 'indoors' && draft.times.length === 0 && draft.moods.length === 0) add('light', words.lights)
  if (draft.moods.length === 0 && draft.styles.every(sense => !['noir', 'sketch', 'ink'].includes(sense.style)))
    add('palette', around === 'space' ? words.spaceMoods : words.palettes)
  if (Object.keys(draft.camera).length === 0 && around !== 'plain')
    add('framing', scene.subjects.some(subject => !subject.isBackground) ? words.framings : words.wideFramings)
  add('finish', words.finishes)
  return parts
}

function placePhrase(scene: Scene): readonly [string, string] | undefined {
  if (scene.setting.details.includes('savanna')) return ['on the savanna', '在大草原上']
  if (scene.setting.details.includes('bamboo')) return ['in a bamboo forest', '在竹林里']
  return settingPhrases[scene.setting.kind]
}

/** True for a scene at any time of day but the default `day`. The parser has derived this time
 *  from the prompt, so the expansion adds no other one. */
function isNightly(scene: Scene): boolean {
  return scene.time !== 'day'
}

function surroundingsOf(kind: SettingKind): Surroundings {
  if (indoors.has(kind)) return 'indoors'
  if (kind === 'space' || kind === 'moon' || kind === 'planet') return 'space'
  if (kind === 'underwater') return 'underwater'
  if (kind === 'table' || kind === 'window-table' || kind === 'shelf') return 'table'
  return kind === 'backdrop' || kind === 'abstract' ? 'plain' : 'outdoors'
}
