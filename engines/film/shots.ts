/** Divides a request into shots, each with its prompt, its length and its camera. */
import type { CameraMove, VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { expandPrompt } from '@generation-gateway/studio/language/expand.ts'
import type { Scene, Subject, TimeOfDay } from '@generation-gateway/studio/scene.ts'
import { rigOf } from '@generation-gateway/studio/subjects/artworks.ts'
import { parseVaried } from '@generation-gateway/studio/variety/vary.ts'
import { readCamera } from './camera/words.ts'

export interface Shot {
  scene: Scene
  seconds: number
  /** Camera movements; when the list is empty, the engine chooses one that suits the scene. */
  steps: CameraMove[]
  /** The same scene at another time of day; the shot fades into it. */
  later?: Scene
}

interface ShotPlan {
  shots: Shot[]
  /** The prompt that was drawn, after expansion. */
  prompt: string
}

type ShotRequest = Pick<
  VideoGenerateRequest,
  'prompt' | 'negativePrompt' | 'seconds' | 'camera' | 'shots' | 'expandPrompt' | 'people' | 'promptStrength'
>

/** Plans the shots of a request for one seed. A subject that appears in several shots looks the
 *  same in all of them. */
export function planShots(request: ShotRequest, seed: string): ShotPlan {
  const parts = request.shots?.length ? request.shots : splitShots(request.prompt, request.seconds)
  const wordsOf = parts.map(({ prompt, seconds }) => ({ ...readCamera(prompt), seconds }))
  const texts = wordsOf.map(({ prompt }) => (request.expandPrompt ? expandPrompt(prompt, seed) : prompt))
  const negative = [request.negativePrompt, ...(request.people === 'none' ? ['people', 'person', 'man', 'woman', 'child'] : [])]
    .filter(Boolean)
    .join(', ')
  const first = texts[0] ?? ''
  const shots = wordsOf.map(({ seconds, steps }, index): Shot => {
    const text = carried(texts[index] ?? '', first)
    const scene = {
      ...together(flying(parseVaried(text, { seed, ...(negative ? { negativePrompt: negative } : {}) }))),
      ...(request.promptStrength === undefined ? {} : { extras: 1 - request.promptStrength }),
    }
    const times = timesOf(text)
    const given = index === 0 || !request.camera ? (request.camera ?? steps) : steps
    return {
      scene: sameLook(times ? { ...scene, time: times[0] } : scene, index),
      seconds,
      steps: given.length > 0 ? given : steps,
      ...(times ? { later: sameLook({ ...scene, time: times[1] }, index) } : {}),
    }
  })
  return { shots, prompt: texts.join(' ') }
}

/** Splits "Shot 1: ... Shot 2: ...", "... cut to ..." and 镜头一：... into shots of equal length. */
function splitShots(prompt: string, seconds: number): { prompt: string; seconds: number }[] {
  const parts = prompt
    .split(
      /(?:^|[\s,.;，。；]+)(?:shot|scene)\s*\d{1,2}\s*[:：.-]\s*|(?:^|[\s,.;，。；]*)(?:镜头|分镜|场景)\s*[一二三四五六\d]{1,2}\s*[:：、]\s*|[\s,.;]+(?:then\s+)?(?:we\s+)?cut(?:s)? to:?\s+|[，。；]*(?:切换到|切到|切至)/iu,
    )
    .map(part => part.trim())
    .filter(part => part !== '')
    .slice(0, Math.max(1, Math.min(6, Math.floor(seconds * 2))))
  const texts = parts.length > 0 ? parts : ['']
  return texts.map(text => ({ prompt: text, seconds: seconds / texts.length }))
}

/** Returns the text of a later shot, in which "it", "she" or "they" at the start is replaced by the
 *  subject of the first shot. */
function carried(text: string, first: string): string {
  if (text === first || !/^(?:the )?(?:it|he|she|they)\b/iu.test(text)) return text
  const subject =
    /^[^,.;，。；]*?(?=\s+(?:is|are|was|stands?|sits?|runs?|walks?|running|walking|sitting|standing|flying|in|on|at|under|through|over|near|by)\b|[,.;]|$)/iu.exec(
      first,
    )?.[0]
  return subject ? text.replace(/^(?:the )?(?:it|he|she|they)\b/iu, subject) : text
}

/** Returns the scene with a composition of its own for each later shot. The subjects keep the look
 *  that they have in the first shot. */
function sameLook(scene: Scene, index: number): Scene {
  if (index === 0) return scene
  const subjects = scene.subjects.map(subject => ({ ...subject, origin: subject.origin ?? { seed: scene.seed, id: subject.id } }))
  return { ...scene, seed: String(BigInt.asIntN(64, BigInt(scene.seed) + BigInt(index) * 7919n)), subjects }
}

/** Replaces the drawing of a flying bird by one whose wings can beat. */
function flying(scene: Scene): Scene {
  const subjects = scene.subjects.map(subject => {
    const isBird = /^noto:(?:bird|dove|eagle|black-bird|duck|goose|swan|phoenix)$/.test(subject.art)
    if (!isBird || subject.pose !== 'flying') return subject
    const hex = birdColours[subject.art.slice(5)]
    const natural = hex && !subject.colour ? { colour: { hex, name: subject.noun } } : {}
    return { ...subject, ...natural, art: 'rig:flying-bird' as const, size: subject.size === 'normal' ? ('small' as const) : subject.size }
  })
  return { ...scene, subjects }
}

/** Gives the companions of a walking or running subject the same motion, such as the dog that a
 *  woman walks. */
function together(scene: Scene): Scene {
  const pose = scene.subjects.find(subject => !subject.isBackground && /^(?:walking|running)$/.test(subject.pose ?? ''))?.pose
  if (!pose) return scene
  const follows = ({ isBackground, habitat, art, person, pose: own, relations }: Subject) =>
    !isBackground &&
    (own === undefined || (own === 'standing' && !/\bstand/iu.test(scene.prompt))) &&
    habitat === 'ground' &&
    (person !== undefined || /^rig:/.test(art) || rigOf({ art }) !== undefined) &&
    !relations.some(({ kind }) => kind === 'on' || kind === 'in' || kind === 'riding')
  return { ...scene, subjects: scene.subjects.map(subject => (follows(subject) ? { ...subject, pose } : subject)) }
}

const birdColours: Record<string, string | undefined> = {
  dove: '#eef1f4',
  eagle: '#6d4a2f',
  'black-bird': '#2c2e38',
  duck: '#8a7a5c',
  goose: '#cfcabd',
  swan: '#f7f8fa',
  phoenix: '#e2572b',
}

/** Returns the two times of day when the prompt lets time pass ("from dawn to night"); undefined
 *  when the time of day stays the same. */
function timesOf(prompt: string): [TimeOfDay, TimeOfDay] | undefined {
  const known: [RegExp, [TimeOfDay, TimeOfDay]][] = [
    [
      /\b(?:day|daylight|afternoon)\s+(?:turn(?:s|ing)?\s+)?(?:in)?to\s+(?:the\s+)?night\b|\bnight\s+falls\b|从?白天(?:到|变成)(?:黑夜|夜晚)|夜幕降临/iu,
      ['afternoon', 'night'],
    ],
    [
      /\bnight\s+(?:turn(?:s|ing)?\s+)?(?:in)?to\s+(?:the\s+)?(?:day|morning|dawn)\b|\bday\s+breaks\b|从?(?:黑夜|夜晚)(?:到|变成)白天|天亮/iu,
      ['night', 'morning'],
    ],
    [/\b(?:sunrise|dawn)\s+to\s+(?:sunset|dusk)\b|日出到日落/iu, ['dawn', 'sunset']],
    [/\b(?:the\s+)?sun\s+(?:is\s+)?ris(?:es|ing)\b|太阳升起/iu, ['dawn', 'day']],
    [/\b(?:the\s+)?sun\s+(?:is\s+)?set(?:s|ting)\b|\bsunset\s+to\s+night\b|太阳落下|日落/iu, ['sunset', 'dusk']],
    [/\btime[- ]?lapse\b|延时摄影|缩时/iu, ['day', 'sunset']],
  ]
  return known.find(([pattern]) => pattern.test(prompt))?.[1]
}
