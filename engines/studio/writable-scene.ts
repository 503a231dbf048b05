import type { Scene } from './scene.ts'
import { writableText } from './style/writable.ts'

/** Returns the scene with only those texts that the fonts of this machine can write; the others are
 *  listed in `notDrawn`. Returns the same scene when it can write all. */
export function withWritableTexts(scene: Scene): Scene {
  const written = scene.letterings.map(lettering => ({ lettering, ...writableText(lettering.text) }))
  const reasons = written.flatMap(({ reason }) => reason ?? [])
  if (reasons.length === 0) return scene
  const letterings = written.flatMap(({ lettering, text }) => (text === undefined ? [] : [{ ...lettering, text }]))
  return { ...scene, letterings, notDrawn: [...scene.notDrawn, ...reasons] }
}
