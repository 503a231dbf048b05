import Type from 'typebox'
import type { VideoGenerateRequest } from '../video.ts'
import { closed, filledList, flag, list, maybe, oneOf, real, schemaOf, seed, side, text, tolerance, whole, word } from './fields.ts'

const turn = maybe(real(-10, 10))
const points = list(closed({ x: real(-100_000, 100_000), y: real(-100_000, 100_000) }), 200)

export const videoGenerateSchema = schemaOf<VideoGenerateRequest>()({
  prompt: text(),
  negativePrompt: maybe(text()),
  width: side,
  height: side,
  seconds: real(0.1, 600),
  framesPerSecond: maybe(real(1, 120)),
  count: whole(1, 10),
  seed,
  sound: Type.Boolean(),
  expandPrompt: Type.Boolean(),
  promptMode: maybe(oneOf('standard', 'fast')),
  grade: maybe(oneOf('standard', 'high')),
  safetyTolerance: tolerance,
  camera: maybe(
    list(
      closed({
        ...{ horizontal: turn, vertical: turn, depth: turn, pan: turn, tilt: turn, roll: turn, zoom: turn, shake: turn },
        follow: maybe(flag),
      }),
      20,
    ),
  ),
  shots: maybe(filledList(closed({ prompt: text(), seconds: real(0.1, 600) }), 20)),
  ownShots: maybe(flag),
  paths: maybe(list(points, 20)),
  fit: maybe(oneOf('pad', 'crop')),
  promptStrength: maybe(real(0, 1)),
  keepBaseSound: maybe(Type.Boolean()),
  lossless: maybe(flag),
  people: maybe(oneOf('adults', 'none')),
  subjects: maybe(list(closed({ name: text(200), pictures: whole(1, 16) }), 16)),
  subjectKind: maybe(oneOf('face')),
  elements: maybe(list(word(), 16)),
  watermark: Type.Boolean(),
})
