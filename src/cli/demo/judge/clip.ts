import { join } from 'node:path'
import { decodeFrames } from '@generation-gateway/kit/video/decode.ts'
import { probeVideo } from '@generation-gateway/kit/video/probe.ts'
import type { DemoContext, OutputJudge } from '../demo.ts'
import { post } from '../post.ts'
import { shown } from './judge.ts'
import { isFlat, measureFile } from './picture.ts'
import { bandDistance, measurePicture, measureSize, type PictureMeasures } from './picture-measures.ts'
import { judgeSound } from './sound.ts'

export interface ClipExpectation {
  /** The words of the prompt that describe the scene, without those about the camera. */
  prompt: string
  /** Width of the clip in pixels. */
  width: number
  height: number
  seconds: number
  hasSound: boolean
}

/** Largest allowed differences between the frames of a clip and three still pictures that were
 *  drawn from the same words. `moreBlack` is a share of black pixels (0 to 1), `bandDistance` a
 *  distance of colours (0 to 442). The latter is large, because other seeds lead to other
 *  weather and times of day. Figures of 40 correct and broken clips: docs/decisions/0025, "How
 *  the demo judges clips". */
const limits = { moreBlack: 0.08, bandDistance: 95 } as const
const seeds = [1, 2, 3] as const
const framesPerSecond = 2
/** Smallest allowed difference between the first frame and the frame that differs most from it,
 *  as a mean over all pixels, 0 to 255. The clips of the demo have 11 to 34. A still picture
 *  that was encoded as a clip has at most 1. */
const leastMotion = 2

/** Returns a check of a clip. Its size, length and sound must be right. Its frames must move,
 *  must not be mostly one colour, and must resemble still pictures that the image engine draws
 *  from the same words. */
export function clip({ prompt, width, height, seconds, hasSound }: ClipExpectation): OutputJudge {
  return async ({ file }, context) => {
    const path = join(context.output, file)
    const found = await framesOf(path)
    if (typeof found === 'string') return found
    const { facts, frames } = found
    if (facts.width !== width || facts.height !== height)
      return `The clip has ${facts.width}x${facts.height} pixels; ${width}x${height} were asked for.`
    if (Math.abs(facts.seconds - seconds) > 0.5) return `The clip lasts ${shown(facts.seconds)} s; ${seconds} s were asked for.`
    if (Math.abs(frames.length / framesPerSecond - seconds) > 1)
      return `Pictures for ${frames.length / framesPerSecond} s could be decoded; ${seconds} s were asked for.`
    return (
      judgeMotion(frames) ??
      (await judgeAgainstStills(frames, context, prompt)) ??
      (hasSound ? judgeSound(path, around(seconds)) : undefined)
    )
  }
}

function around(seconds: number): { seconds: [number, number] } {
  return { seconds: [seconds - 0.5, seconds + 0.5] }
}

async function framesOf(path: string): Promise<{ facts: Awaited<ReturnType<typeof probeVideo>>; frames: Uint8Array[] } | string> {
  try {
    const facts = await probeVideo(path)
    const frames: Uint8Array[] = []
    for await (const frame of decodeFrames(path, { ...measureSize, framesPerSecond, signal: AbortSignal.timeout(120_000) }))
      frames.push(frame)
    return { facts, frames }
  } catch (error) {
    return `The clip cannot be decoded: ${error instanceof Error ? error.message : error}`
  }
}

function judgeMotion([first, ...others]: readonly Uint8Array[]): string | undefined {
  const motion = Math.max(0, ...others.map(other => meanDifference(first ?? other, other)))
  return motion < leastMotion ? `Nothing moves: the frames differ by ${shown(motion)} of 255.` : undefined
}

function meanDifference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0))
  return sum / one.length
}

async function judgeAgainstStills(frames: readonly Uint8Array[], context: DemoContext, prompt: string): Promise<string | undefined> {
  const stills = await Promise.all(seeds.map(seed => stillOf(context, prompt, seed)))
  return judgeFrames(
    frames.map(frame => measurePicture(frame)),
    stills,
  )
}

/** Compares the frames of a clip with still pictures that were drawn from the same words. Scenes
 *  are drawn in layers: a layer that was not drawn correctly leaves black pixels, which a still
 *  picture does not have. Wrong colours change the mean colours of the horizontal bands. */
function judgeFrames(frames: readonly PictureMeasures[], stills: readonly PictureMeasures[]): string | undefined {
  const flat = frames.find(isFlat)
  if (flat) return `${shown(flat.mostOfOneColour * 100)} % of a frame is one colour.`
  const black = mean(frames.map(frame => frame.black))
  const blackest = Math.max(...stills.map(still => still.black))
  if (black > blackest + limits.moreBlack)
    return `${shown(black * 100)} % of its frames is black; of stills of the same words ${shown(blackest * 100)} %.`
  const distance = Math.min(...stills.map(still => mean(frames.map(frame => bandDistance(frame, still)))))
  if (distance > limits.bandDistance)
    return `Its colours are ${shown(distance)} of at most 442 away from those of stills of the same words; up to ${limits.bandDistance} were expected.`
  return undefined
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Draws a still picture through the public interface, and returns its measures. The picture may
 *  have another aspect ratio than the clip, because measuring scales both to the same size. */
async function stillOf(context: DemoContext, prompt: string, seed: number): Promise<PictureMeasures> {
  const body = { prompt, seed, size: '1280x720', output_format: 'png' }
  const { data } = await post<{ data: { b64_json: string }[] }>(context, 'images/generations', body)
  return (await measureFile(Buffer.from(data[0]?.b64_json ?? '', 'base64'))).look
}
