import Type from 'typebox'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '../image.ts'
import { closed, flag, list, maybe, oneOf, real, schemaOf, seed, side, text, tolerance, whole, word } from './fields.ts'

const mostPictures = 15
const size = { width: side, height: side }
const format = oneOf('jpeg', 'png', 'webp')

const common = {
  prompt: text(),
  negativePrompt: maybe(text()),
  aspectRatio: maybe(word(20)),
  tier: maybe(closed({ name: word(20), sizes: list(closed(size), 64) })),
  series: maybe(flag),
  exactCount: maybe(flag),
  seed,
  expandPrompt: Type.Boolean(),
  safetyTolerance: tolerance,
  format,
  watermark: maybe(flag),
  markedCopy: maybe(flag),
  guidance: maybe(real(0, 100)),
  webSearch: maybe(flag),
  promptMode: maybe(oneOf('standard', 'fast')),
  flags: maybe(text(8_192)),
  previews: maybe(whole(0, 3)),
  wishes: maybe(
    closed({
      quality: maybe(word()),
      background: maybe(word()),
      style: maybe(word()),
      output_compression: maybe(whole(0, 100)),
      input_fidelity: maybe(word()),
    }),
  ),
}

export const imageGenerateSchema = schemaOf<ImageGenerateRequest>()({
  ...common,
  ...size,
  count: whole(1, mostPictures),
  steps: maybe(whole(1, 1_000)),
})

export const imageEditSchema = schemaOf<ImageEditRequest>()({
  ...common,
  width: maybe(side),
  height: maybe(side),
  variants: maybe(whole(1, mostPictures)),
  references: maybe(flag),
  regions: maybe(list(closed({ ...size, points: list(real(-100_000, 100_000), 20_000) }), 100)),
})

export const imageUpscaleSchema = schemaOf<ImageUpscaleRequest>()({
  factor: Type.Unsafe<2 | 4>({ type: 'integer', enum: [2, 4] }),
  mode: oneOf('subtle', 'creative'),
  prompt: maybe(text()),
  seed,
  safetyTolerance: tolerance,
  format,
})
