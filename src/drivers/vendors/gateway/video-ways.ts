/** Families of videos at another gateway: what each is sent, and what it has no field for. */
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { RefusedError, refused } from '../../shared/refusal.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import { formBody, type SentBody } from '../../shared/upstream/sent-body.ts'
import { frameOf, isOtherSize } from '../../shared/video/frame.ts'
import { type AskedHailuo, hailuoFields } from '../../shared/video/hailuo-fields.ts'
import { groups as hailuoGroups } from '../../shared/video/hailuo-groups.ts'
import { klingCall } from '../../shared/video/kling-call.ts'
import { groups as klingGroups } from '../../shared/video/kling-groups.ts'
import { leftOutOfVeo, type VeoFacts, veoBody, veoRefusal } from '../../shared/video/veo-request.ts'
import { type AskedVideo, leftOut, refusedField, refusedInput, type VideoField, type VideoJob } from '../../shared/video/video-job.ts'
import type { VideoFamily } from './settings.ts'
import { whoOf } from './way.ts'

export interface VideoWay {
  family: VideoFamily
  /** Neutral names of its fields, by the first word of what its errors name. */
  words: Readonly<Record<string, FieldName>>
  /** The task, of the submit's answer. */
  idIn(answer: JsonObject): string | undefined
  /** Throws a `RefusedError` for what the request alone tells, and it has no field for. */
  check(asked: AskedVideo, group: string | undefined): void
  /** Where it is submitted, with `{endpoint}`. */
  pathOf(asked: AskedVideo, group: string | undefined): string
  body(job: VideoJob, group: string | undefined, inspection: Inspection): SentBody | Promise<SentBody>
  /** What it leaves out of a request that it takes. */
  leavesOut(asked: AskedVideo, group: string | undefined): VideoField[]
}

const base = '/v1/ai/{endpoint}'

/** The sizes and lengths of family S (docs/interface/videos.md#s). */
const sSizes = ['720x1280', '1280x720']
const sSeconds = [4, 8, 12]
const sFields: readonly VideoField[] = ['fit', 'sound']

const s: VideoWay = {
  family: 'S',
  words: { prompt: 'prompt', size: 'width', seconds: 'seconds', input_reference: 'first-frame' },
  idIn: ({ id }) => textOf(id)?.replace(/^video_/, ''),
  pathOf: () => `${base}/videos`,
  check: asked => {
    const who = whoOf('S')
    const { width, height, seconds, count, sound, fit, people } = asked.request
    const frame = asked.inputs.find(({ role }) => role === 'first-frame')
    if (count !== 1) throw refused('count', `${who} makes one video per task, not ${count}.`)
    if (!sSizes.includes(`${width}x${height}`)) throw refused('width', `${who} makes ${sSizes.join(' and ')}, not ${width}x${height}.`)
    if (!sSeconds.includes(seconds)) throw refused('seconds', `${who} makes videos of ${sSeconds.join(', ')} s, not of ${seconds} s.`)
    if (!sound) throw refused('sound', `${who} always makes some.`)
    if (people === 'none') throw refused('people', `${who} cannot be told to show none.`)
    if (frame && isOtherSize(frame, asked.request) && fit === undefined)
      throw refused('first-frame', `is ${frame.width}x${frame.height}; ${who} takes ${width}x${height}, the size of the video.`)
    refuseBy(refusedField(asked, sFields, who) ?? refusedInput(asked, { 'first-frame': 1 }, who))
  },
  body: async (job, _group, inspection) => {
    const { model, request, inputs } = job
    const { prompt, width, height, seconds } = request
    const frames = await Promise.all(inputs.map(input => frameOf(input, job, inspection)))
    const files = frames.map(input => ({ field: 'input_reference', name: `frame.${input.mediaType.split('/')[1]}`, input }))
    return formBody({ model, prompt, seconds: String(seconds), size: `${width}x${height}` }, ...files)
  },
  leavesOut: asked => leftOut(asked, sFields),
}

const newest: VeoFacts = {
  seconds: [4, 6, 8],
  resolutions: ['720p', '1080p', '4k'],
  hasSound: true,
  canFit: true,
  alwaysExpands: false,
}
const veoGroups: Readonly<Record<string, VeoFacts>> = {
  '3': { ...newest, resolutions: ['720p', '1080p'] },
  '2': { seconds: [5, 6, 7, 8], resolutions: ['720p'], hasSound: false, canFit: false, alwaysExpands: false },
}
const veoOf = (group = '') => veoGroups[group] ?? newest

const v: VideoWay = {
  family: 'V',
  words: { instances: 'prompt', parameters: 'width' },
  idIn: ({ name }) => textOf(name)?.split('/').at(-1),
  pathOf: () => `${base}/vidv/videos/generate`,
  check: (asked, group) => refuseBy(veoRefusal(asked, veoOf(group), whoOf('V'))),
  body: (job, group) => veoBody(job, veoOf(group), { model: job.model }),
  leavesOut: (asked, group) => leftOutOfVeo(asked, veoOf(group)),
}

/** Camera words of family H (docs/interface/videos.md#h); `src/families/h-video/camera.ts` explains
 *  them. */
const hWords: AskedHailuo['words'] = {
  moves: {
    horizontal: ['Pan Left', 'Pan Right'],
    vertical: ['Descend', 'Ascend'],
    depth: ['Pull Out', 'Push In'],
    pan: ['Tilt Left', 'Tilt Right'],
    tilt: ['Tilt Down', 'Tilt Up'],
    zoom: ['Zoom In', 'Zoom Out'],
    shake: ['Shake', 'Shake'],
  },
  follow: 'Follow',
  still: 'Fixed',
}
const hGroups = {
  '02': hailuoGroups.hailuo,
  t2v: hailuoGroups.t2v,
  i2v: hailuoGroups.i2v,
  i2v_live: hailuoGroups.i2v,
  i2v_director: hailuoGroups['i2v-director'],
  t2v_director: hailuoGroups['t2v-director'],
  s2v: hailuoGroups.s2v,
} as const
/** The vendor's names of the fields, as family H spells them. */
const spelling: Readonly<Record<string, string>> = {
  prompt_optimizer: 'promptOptimizer',
  fast_pretreatment: 'fastPretreatment',
  first_frame_image: 'firstFrameImage',
  last_frame_image: 'lastFrameImage',
  subject_reference: 'subjectReference',
}

function hFields<Input extends InputFacts>(
  { request }: Pick<AskedVideo, 'request'>,
  group: string | undefined,
  { inputs, shown }: { inputs: readonly Input[]; shown(input: Input): string },
): JsonObject {
  const found = Object.entries(hGroups).find(([name]) => name === (group ?? '02'))?.[1] ?? hailuoGroups.hailuo
  const fields = hailuoFields({ request, group: found, who: whoOf('H'), words: hWords }, inputs, shown)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [spelling[name] ?? name, value]))
}

const h: VideoWay = {
  family: 'H',
  words: {
    ...{ prompt: 'prompt', duration: 'seconds', resolution: 'width', promptOptimizer: 'expandPrompt', fastPretreatment: 'promptMode' },
    ...{ firstFrameImage: 'first-frame', lastFrameImage: 'last-frame', subjectReference: 'subject' },
  },
  idIn: ({ taskId }) => textOf(taskId),
  pathOf: () => `${base}/vidh/video/generate`,
  check: (asked, group) => void hFields(asked, group, { inputs: asked.inputs, shown: () => '' }),
  body: (job, group) => {
    const files = new FilesInJson()
    return files.body({
      ...hFields(job, group, { inputs: job.inputs, shown: (input: InputFile) => files.dataUrl(input) }),
      model: job.model,
    })
  },
  leavesOut: ({ request: { promptStrength, people, fit, framesPerSecond, lossless } }) => [
    ...left('promptStrength', promptStrength !== undefined),
    ...left('people', people !== undefined),
    ...left('fit', fit === 'pad'),
    ...left('framesPerSecond', framesPerSecond !== undefined),
    ...left('lossless', lossless === true),
  ],
}

const kGroups = {
  V1: klingGroups.v1,
  'V1.6': klingGroups.v1,
  'V2.1': klingGroups.v2,
  'V2.1 Master': klingGroups['v2-master'],
  'V2.6': klingGroups['v2-6'],
  'omni video': klingGroups.omni,
} as const

function kCall<Input extends InputFacts>(
  { request }: Pick<AskedVideo, 'request'>,
  group: string | undefined,
  { inputs, shown, integer }: { inputs: readonly Input[]; shown(input: Input): string; integer(digits: string): string },
): { path: string; body: JsonObject } {
  const found = Object.entries(kGroups).find(([name]) => name === (group ?? 'V1'))?.[1] ?? klingGroups.v1
  const videoId = (): never => {
    throw refused('earlier', `${whoOf('K')} goes on only with videos that it has made itself.`)
  }
  return klingCall({ request, group: found, who: whoOf('K') }, inputs, { base64: shown, integer, videoId })
}

const k: VideoWay = {
  family: 'K',
  words: {
    ...{ prompt: 'prompt', negative_prompt: 'negativePrompt', cfg_scale: 'promptStrength', duration: 'seconds', aspect_ratio: 'width' },
    ...{ camera_control: 'camera', mode: 'grade', sound: 'sound', image: 'first-frame', image_tail: 'last-frame' },
    ...{ static_mask: 'still-mask', dynamic_masks: 'paths', image_list: 'reference', element_list: 'elements', multi_prompt: 'shots' },
  },
  idIn: ({ data }) => textOf(objectOf(data).task_id),
  pathOf: (asked, group) => `${base}/vidk${kCall(asked, group, { inputs: asked.inputs, shown: () => '', integer: digits => digits }).path}`,
  check: (asked, group) => void kCall(asked, group, { inputs: asked.inputs, shown: () => '', integer: digits => digits }),
  body: (job, group) => {
    const files = new FilesInJson()
    const written = { shown: (input: InputFile) => files.base64(input), integer: (digits: string) => files.integer(digits) }
    return files.body({ model_name: job.model, ...kCall(job, group, { inputs: job.inputs, ...written }).body })
  },
  leavesOut: ({ request: { people, fit, expandPrompt, lossless, promptStrength, framesPerSecond } }, group) => [
    ...left('people', people !== undefined),
    ...left('fit', fit === 'pad'),
    ...left('expandPrompt', expandPrompt),
    ...left('lossless', lossless === true),
    ...left('framesPerSecond', framesPerSecond !== undefined && framesPerSecond !== 24 && framesPerSecond !== 30),
    ...left('promptStrength', promptStrength !== undefined && !/^V1/.test(group ?? 'V1')),
  ],
}

/** In the order they are tried. */
export const videoWays: readonly VideoWay[] = [v, s, h, k]

function left(field: VideoField, isLeft: boolean): VideoField[] {
  return isLeft ? [field] : []
}

function refuseBy(refusal: ConstructorParameters<typeof RefusedError>[0] | undefined): void {
  if (refusal) throw new RefusedError(refusal)
}
