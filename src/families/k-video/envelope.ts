/** Answers of family K (docs/vendors/kling.md#envelope, #states). */

import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import type { TaskView } from '../../contract/context.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { type Artifact, resultOf, type Task } from '../../core/records/task.ts'
import { notDrawnField, notFollowedField } from '../shared/common-fields.ts'
import { callersNames, failureSentence, outputsOf, stateWords } from '../shared/task-answers.ts'
import { fieldNames } from './field-names.ts'

export const linkLifetimeMs = 30 * dayMs

const stateNames = ['submitted', 'processing', 'succeed', 'failed'] as const
type State = (typeof stateNames)[number]

const taskHead = {
  task_id: Type.String({ description: 'Id of the task.' }),
  task_status: words(stateNames, { description: '`succeed` and `failed` are final.' }),
  task_info: Type.Object({ external_task_id: Type.String({ description: 'That of the create; else empty.' }) }),
  created_at: Type.Integer({ unit: 'ms', description: 'Unix milliseconds.' }),
  updated_at: Type.Integer({ unit: 'ms', description: 'Unix milliseconds.' }),
}
export const envelopeHead = {
  code: Type.Integer({ description: '0.' }),
  message: Type.String({ description: '`SUCCEED`.' }),
  request_id: Type.String(),
}

const link = (description: string) =>
  Type.String({ description: `${description} A signed link, valid for 30 days; every query gives a fresh one.` })
const markedLink = Type.Optional(link('The same with a watermark, where `watermark_info` asked for it.'))
const videos = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Unique among all videos; `video_id` of an extension.' }),
    url: link('The video.'),
    watermark_url: markedLink,
    duration: Type.String({ unit: 's', description: 'Length of the video.' }),
  }),
)
const image = Type.Object({ index: Type.Integer({ minimum: 0, maximum: 9 }), url: link('The picture.'), watermark_url: markedLink })
const notFollowed = Type.Optional(notFollowedField())
const statusMessage = Type.String({ description: 'Why it failed; else empty.' })

export const accepted = namedObject('VideoTaskAccepted', { ...envelopeHead, data: Type.Object(taskHead) })
export const videoTask = namedObject('VideoTask', {
  ...envelopeHead,
  data: Type.Object({
    ...taskHead,
    task_info: Type.Object({
      ...taskHead.task_info.properties,
      parent_video: optional.object(
        { id: Type.String(), url: link('That video.'), duration: Type.String({ unit: 's', description: 'Its length.' }) },
        { source: 'ours', description: 'Of an extension: the video that it goes on with.' },
      ),
    }),
    task_status_msg: statusMessage,
    task_result: optional.object({ videos, not_followed: notFollowed }),
  }),
})
export const imageTask = namedObject('ImageTaskOfVideoFamily', {
  ...envelopeHead,
  data: Type.Object({
    ...taskHead,
    task_status_msg: statusMessage,
    task_result: optional.object({
      result_type: words(['single', 'series']),
      images: Type.Array(image),
      series_images: optional.array(image, { description: 'The same of a series.' }),
      not_followed: notFollowed,
      not_drawn: Type.Optional(notDrawnField()),
    }),
  }),
})
export type VideoData = Type.Static<typeof videoTask>['data']
export type ImageData = Type.Static<typeof imageTask>['data']

/** The operations that create tasks. A task can be queried only at the operation that created
 *  it. */
export type Kind = 'text2video' | 'image2video' | 'videoExtend' | 'omniVideo' | 'omniImage'

export function kindOf({ shown }: Task): string {
  return String(shown?.kind)
}

export function enveloped<Data>(requestId: string, data: Data) {
  return { code: 0, message: 'SUCCEED', request_id: requestId, data }
}

const states = stateWords<State>({ queued: 'submitted', running: 'processing', succeeded: 'succeed', failed: 'failed' })

export function headOf(task: Task) {
  return {
    task_id: task.id,
    task_status: madeBy(task).isWithheld ? ('failed' as const) : states[task.state],
    task_info: { external_task_id: task.clientReference ?? '' },
    created_at: task.createdAt,
    updated_at: task.finishedAt ?? task.startedAt ?? task.createdAt,
  }
}

export function videoData(view: TaskView, task: Task): VideoData {
  const head = headOf(task)
  const data = { ...head, task_info: { ...head.task_info, ...parentOf(view, task) }, task_status_msg: messageOf(task) }
  if (data.task_status !== 'succeed') return data
  const { plain, marked } = madeBy(task)
  // A task creates one video. The video has the id of the task, by which callers request its
  // extension.
  const shown = plain.slice(0, 1).map((video, index) => ({
    id: task.id,
    url: view.link(video, linkLifetimeMs),
    ...markedOf(view, marked[index]),
    duration: durationOf(video),
  }))
  return { ...data, task_result: { videos: shown, ...leftOut(resultOf(task, 'video.generate').notFollowed) } }
}

function parentOf(view: TaskView, { shown, artifacts }: Task): { parent_video?: { id: string; url: string; duration: string } } {
  const video = artifacts.find(({ kind, role }) => kind === 'input' && role === 'earlier')
  if (!video || typeof shown?.parent !== 'string') return {}
  return { parent_video: { id: shown.parent, url: view.link(video, linkLifetimeMs), duration: durationOf(video) } }
}

function durationOf({ durationSeconds = 0 }: Artifact): string {
  return String(Math.round(durationSeconds * 1000) / 1000)
}

export function imageData(view: TaskView, task: Task): ImageData {
  const data = { ...headOf(task), task_status_msg: messageOf(task) }
  if (data.task_status !== 'succeed') return data
  const { plain, marked } = madeBy(task)
  const images = plain.map((picture, index) => ({ index, url: view.link(picture, linkLifetimeMs), ...markedOf(view, marked[index]) }))
  const isSeries = task.shown?.series === true
  const { notFollowed: left, notDrawn } = resultOf(task, 'image.generate', 'image.edit')
  const result = {
    result_type: isSeries ? ('series' as const) : ('single' as const),
    images,
    ...(isSeries ? { series_images: images } : {}),
  }
  return { ...data, task_result: { ...result, ...leftOut(left), ...(notDrawn.length > 0 ? { not_drawn: notDrawn } : {}) } }
}

/** Returns the files of the task, and their watermarked copies in the same order. `isWithheld`: the
 *  task succeeded, but a safety review withheld everything. */
function madeBy(task: Task): { plain: Artifact[]; marked: Artifact[]; isWithheld: boolean } {
  const outputs = outputsOf(task)
  const plain = outputs.filter(({ role }) => role === 'video' || role === 'output')
  const marked = outputs.filter(({ role }) => role === 'watermarked')
  return { plain, marked, isWithheld: task.state === 'succeeded' && plain.length === 0 }
}

/** Returns the video that the task created; undefined when there is none. */
export function videoIn(task: Task): Artifact | undefined {
  return task.state === 'succeeded' && task.capability === 'video.generate' ? madeBy(task).plain[0] : undefined
}

function markedOf(view: TaskView, marked: Artifact | undefined): { watermark_url?: string } {
  return marked ? { watermark_url: view.link(marked, linkLifetimeMs) } : {}
}

function messageOf(task: Task): string {
  if (task.failure) return failureSentence({ fieldNames }, task.failure)
  return madeBy(task).isWithheld ? 'The output was refused by the safety rules.' : ''
}

/** Fields of the neutral request that callers of this family cannot set. When a target ignores
 *  them, this is not reported. */
const chosenHere = new Set(['seed', 'framesPerSecond'])

function leftOut(fields: readonly FieldName[] = []): { not_followed?: string[] } {
  const names = callersNames(
    { fieldNames },
    fields.filter(field => !chosenHere.has(field)),
  )
  return names.length > 0 ? { not_followed: names } : {}
}
