/** Limits on a file in a request. The size and the header of the file are checked against them
 *  before the request uses up quota or is sent to an upstream. */
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'

/** Limits on a file; all bounds are inclusive. */
export interface FileLimits {
  mediaTypes: readonly string[]
  /** Bytes after decoding. */
  maxBytes: number
  /** Largest width x height. */
  maxPixels?: number
  /** Smallest length of each side, in pixels. */
  minSide?: number
  maxSide?: number
  /** Width / height. */
  ratio?: { least: number; most: number }
  /** Length of sound or video, in seconds. */
  duration?: { least?: number; most?: number }
  framesPerSecond?: { least?: number; most?: number }
}

/** The rule of a file field, as it is stored in the field's schema. */
export interface FileRule extends FileLimits {
  /** Purpose of the file in the capability: `image`, `mask`, `first-frame`, ... */
  role: string
  /** True when a JSON body must contain the file as a URL or as a data URL whose media type is in
   *  lower case (`data:image/png;base64,...`). When absent, base64 without a prefix is accepted as
   *  well. */
  needsDataUrl?: true
  /** Limits by model group (parameter set), which replace the limits above. */
  groups?: Readonly<Record<string, Partial<FileLimits>>>
}

/** Returns the limits for a model of the group. */
export function limitsFor({ groups, ...limits }: FileRule, group: string | undefined): FileLimits {
  return { ...limits, ...(group === undefined ? {} : groups?.[group]) }
}

/** Returns a sentence about the broken limit, which begins with the field, and the name of the
 *  limit; undefined when the file keeps all limits. */
export function fileProblem(field: string, facts: FileFacts, limits: FileLimits): { message: string; rule: string } | undefined {
  const { bytes, mediaType, width, height, durationSeconds, framesPerSecond } = facts
  const { maxPixels, minSide, maxSide, ratio, duration, framesPerSecond: frames } = limits
  if (bytes > limits.maxBytes) return { message: `${field} has ${bytes} bytes; at most ${limits.maxBytes}.`, rule: 'max-bytes' }
  if (!limits.mediaTypes.includes(mediaType))
    return { message: `${field} is ${mediaType}; ${typeNames(limits)} are accepted.`, rule: 'media-type' }
  if (width !== undefined && height !== undefined) {
    const size = `${field} is ${width}x${height}`
    const shape = width / height
    if (maxPixels !== undefined && width * height > maxPixels)
      return { message: `${size}, ${width * height} pixels; at most ${maxPixels}.`, rule: 'max-pixels' }
    if (minSide !== undefined && Math.min(width, height) < minSide)
      return { message: `${size}; each side has to have at least ${minSide} pixels.`, rule: 'min-side' }
    if (maxSide !== undefined && Math.max(width, height) > maxSide)
      return { message: `${size}; each side may have at most ${maxSide} pixels.`, rule: 'max-side' }
    if (ratio && (shape < ratio.least || shape > ratio.most))
      return { message: `${size}; width / height has to be ${rangeText(ratio)}.`, rule: 'ratio' }
  }
  if (duration && durationSeconds !== undefined && isOutside(durationSeconds, duration))
    return {
      message: `${field} lasts ${shownOutside(durationSeconds, duration)} s; it has to last ${rangeText(duration)} s.`,
      rule: 'duration',
    }
  if (frames && framesPerSecond !== undefined && isOutside(framesPerSecond, frames))
    return {
      message: `${field} has ${shownOutside(framesPerSecond, frames)} frames a second; it has to have ${rangeText(frames)}.`,
      rule: 'frame-rate',
    }
  return undefined
}

/** Returns the limits in words, for the docs. */
export function fileText(limits: FileLimits): string {
  const { maxBytes, maxPixels, minSide, maxSide, ratio, duration, framesPerSecond } = limits
  const parts = [typeNames(limits), `at most ${maxBytes} bytes decoded`]
  if (maxPixels !== undefined) parts.push(`at most ${maxPixels} pixels`)
  if (minSide !== undefined) parts.push(`sides of at least ${minSide} px`)
  if (maxSide !== undefined) parts.push(`sides of at most ${maxSide} px`)
  if (ratio) parts.push(`width / height ${rangeText(ratio)}`)
  if (duration) parts.push(`${rangeText(duration)} s long`)
  if (framesPerSecond) parts.push(`${rangeText(framesPerSecond)} frames a second`)
  return parts.join('; ')
}

/** Returns the subtypes of the media types, each once: `jpeg, png, mp4`. */
export function typeNames({ mediaTypes }: Pick<FileLimits, 'mediaTypes'>): string {
  return [...new Set(mediaTypes.map(type => type.replace(/^(image|audio|video|application)\/(x-)?/, '')))].join(', ')
}

interface Range {
  least?: number
  most?: number
}

function isOutside(value: number, { least = 0, most = Number.POSITIVE_INFINITY }: Range): boolean {
  return value < least || value > most
}

/** Returns a value that lies outside its range, rounded for a message. The value is not rounded
 *  if the rounded one would lie within the range, because the message would then contradict
 *  itself. */
function shownOutside(value: number, range: Range): number {
  return isOutside(rounded(value), range) ? rounded(value) : value
}

function rangeText({ least, most }: Range): string {
  if (least === undefined) return `at most ${rounded(most ?? 0)}`
  return most === undefined ? `at least ${rounded(least)}` : `from ${rounded(least)} to ${rounded(most)}`
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** Returns the largest file that any group allows, bytes. */
export function mostBytes({ maxBytes, groups = {} }: FileRule): number {
  return Math.max(maxBytes, ...Object.values(groups).map(group => group.maxBytes ?? 0))
}
