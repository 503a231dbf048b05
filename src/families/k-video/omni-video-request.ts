import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext, Submission } from '../../contract/context.ts'
import { usualVideo } from '../shared/usual-requests.ts'
import { namedElements } from './elements.ts'
import { frameOf, hasOwnShots, inOrder, isEdit, type OmniVideoBody } from './omni-video.ts'
import { sizeLike, videoSize } from './sizes.ts'

const roles = { '': 'reference', first_frame: 'first-frame', end_frame: 'last-frame' } as const

/** Builds the submission for an omni video. */
export async function omniVideoSubmission(
  context: CallContext<'files' | 'sentBody'>,
  body: OmniVideoBody,
  files: readonly CallFile[],
): Promise<Submission<'video.generate'>> {
  warnOfLeftOut(context, body)
  const inputs = withRoles(body, files)
  const { subjects, files: pictures, others } = await namedElements(context, body.element_list, 'subject')
  const request: VideoGenerateRequest = {
    ...usualVideo,
    ...sceneOf(body),
    ...sizeOf(body, inputs),
    seconds: isEdit(body) ? Math.round(inputs.find(({ role }) => role === 'base')?.durationSeconds ?? 0) : Number(body.duration),
    framesPerSecond: 24,
    seed: context.randomSeed(),
    sound: body.sound === 'on',
    grade: body.mode === 'std' ? 'standard' : 'high',
    ...(body.video_list[0] ? { keepBaseSound: body.video_list[0].keep_original_sound === 'yes' } : {}),
    ...(subjects.length > 0 ? { subjects } : {}),
    ...(others.length > 0 ? { elements: others } : {}),
    watermark: body.watermark_info.enabled,
  }
  return { capability: 'video.generate', request, inputs: [...inputs, ...pictures] }
}

/** Warns of fields that the gateway does not pass on to the model, because another field rules them
 *  out (docs/interface/videos.md#k). */
function warnOfLeftOut(context: CallContext<'sentBody'>, body: OmniVideoBody): void {
  const sent = context.sentBody.fields
  if (hasOwnShots(body) && body.prompt !== '') context.warn('prompt is left out: multi_shot is true.')
  if (body.multi_shot && body.shot_type === 'intelligence' && body.multi_prompt.length > 0)
    context.warn('multi_prompt is left out: shot_type is intelligence.')
  if (!body.multi_shot && body.shot_type !== '') context.warn('shot_type is left out: multi_shot is false.')
  if (!body.multi_shot && body.multi_prompt.length > 0) context.warn('multi_prompt is left out: multi_shot is false.')
  const shape = isEdit(body) ? 'video' : frameOf(body, 'first_frame').length > 0 ? 'first frame' : undefined
  if (shape && body.aspect_ratio !== '') context.warn(`aspect_ratio is left out: the output has the shape of the ${shape}.`)
  if (isEdit(body) && sent.has('duration')) context.warn('duration is left out: the output is as long as the video.')
}

function sceneOf(body: OmniVideoBody): Pick<VideoGenerateRequest, 'prompt' | 'shots' | 'ownShots'> {
  if (!hasOwnShots(body)) return { prompt: body.prompt, ...(body.multi_shot ? { ownShots: true as const } : {}) }
  return { prompt: '', shots: inOrder(body).map(({ prompt, duration }) => ({ prompt, seconds: Number(duration) })) }
}

/** Returns the files, each with the role that its list item names. */
function withRoles({ image_list, video_list }: OmniVideoBody, files: readonly CallFile[]): CallFile[] {
  return files.map(file => {
    const index = Number(/\[([0-9]+)\]/.exec(file.field)?.[1])
    if (file.field.startsWith('video_list')) return { ...file, role: video_list[index]?.refer_type ?? file.role }
    return { ...file, role: roles[image_list[index]?.type ?? ''] }
  })
}

/** Returns the size of the video. Its aspect ratio is that of the first frame or of the video to
 *  edit, if the request has one; else it is the requested ratio. */
function sizeOf(body: OmniVideoBody, inputs: readonly CallFile[]): Pick<VideoGenerateRequest, 'width' | 'height' | 'fit'> {
  const line = body.mode === 'std' ? 720 : 1080
  const shape = inputs.find(({ role }) => role === 'base' || role === 'first-frame')
  const fit = frameOf(body, 'end_frame').length > 0 ? { fit: 'crop' as const } : {}
  return { ...(shape ? sizeLike(shape, line) : videoSize(body.aspect_ratio || '16:9', line)), ...fit }
}
