import type { Scene } from './scene.ts'
import { writableText } from './style/writable.ts'

/** The scene with the texts that the fonts of this machine can write; what they cannot stands in `notDrawn`. The same scene where there is no such text. */
export function withWritableTexts(scene: Scene): Scene {
  const written = scene.letterings.map(lettering => ({ lettering, ...writableText(lettering.text) }))
  const reasons = written.flatMap(({ reason }) => reason ?? [])
  if (reasons.length === 0) return scene
  const letterings = written.flatMap(({ lettering, text }) => (text === undefined ? [] : [{ ...lettering, text }]))
  return { ...scene, letterings, notDrawn: [...scene.notDrawn, ...reasons] }
}
