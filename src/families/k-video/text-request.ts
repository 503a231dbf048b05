import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallContext } from '../../contract/context.ts'
import { usualVideo } from '../shared/usual-requests.ts'
import { cameraOf } from './camera.ts'
import { modeOf, type Row, rowOf } from './models.ts'
import { videoSize } from './sizes.ts'
import type { TextBody } from './text2video.ts'

/** Builds the neutral request for a video from a prompt. */
export function textRequest(context: CallContext, body: TextBody): VideoGenerateRequest {
  const row = rowOf(context.model.group)
  return {
    ...commonOf(context, row, body),
    ...videoSize(body.aspect_ratio, row.lines[modeOf(row, body.mode)]),
    framesPerSecond: row.rates.text,
  }
}

type Common = Pick<TextBody, 'prompt' | 'negative_prompt' | 'cfg_scale' | 'mode' | 'sound' | 'duration' | 'camera_control'>

/** Returns the members of the neutral request that depend neither on the size nor on the frame
 *  rate. */
export function commonOf(context: CallContext, row: Row, body: Common): Omit<VideoGenerateRequest, 'width' | 'height'> {
  return {
    ...usualVideo,
    prompt: body.prompt,
    ...(body.negative_prompt === '' ? {} : { negativePrompt: body.negative_prompt }),
    seconds: Number(body.duration),
    seed: context.randomSeed(),
    sound: body.sound === 'on',
    ...gradeOf(row, body),
    ...cameraOf(body.camera_control),
    ...(row.hasStrength ? { promptStrength: body.cfg_scale } : {}),
  }
}

function gradeOf(row: Row, { mode }: Common): Pick<VideoGenerateRequest, 'grade'> {
  if (row.modes.length === 0) return {}
  return { grade: modeOf(row, mode) === 'std' ? 'standard' : 'high' }
}
