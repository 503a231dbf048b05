/** Computes sizes in pixels from aspect ratios. */
import type { ratios } from './fields.ts'

interface Size {
  width: number
  height: number
}

/** Returns the size in pixels of a video with this aspect ratio, whose short side has `line`
 *  pixels. */
export function videoSize(ratio: (typeof ratios)[number], line: number): Size {
  const long = Math.round((line * 16) / 9)
  if (ratio === '1:1') return { width: line, height: line }
  return ratio === '16:9' ? { width: long, height: line } : { width: line, height: long }
}

/** Returns the size of a video in the shape of the given picture or video. The new video has
 *  about as many pixels as a 16:9 video whose short side has `line` pixels. The sides are even,
 *  as encoders require. */
export function sizeLike({ width = 16, height = 9 }: Partial<Size>, line: number): Size {
  return ofArea(width / height, { area: (line * line * 16) / 9, step: 2 })
}

const tiers = { '1k': 1024, '2k': 2048, '4k': 4096 } as const
export type Tier = keyof typeof tiers

/** Returns the size of a picture with this ratio. The size has about as many pixels as the
 *  square picture of the tier, and never more; its sides are multiples of 16. */
export function pictureSize(tier: Tier, ratio: number): Size {
  return ofArea(ratio, { area: tiers[tier] ** 2, step: 16 })
}

export function ratioOf(words: string): number {
  const [width = 1, height = 1] = words.split(':').map(Number)
  return width / height
}

function ofArea(ratio: number, { area, step }: { area: number; step: number }): Size {
  const side = (length: number) => Math.max(step, Math.floor(length / step + 1e-6) * step)
  return { width: side(Math.sqrt(area * ratio)), height: side(Math.sqrt(area / ratio)) }
}
