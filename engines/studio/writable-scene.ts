import type { Scene } from './scene.ts'
import { writableText } from './style/writable.ts'

/** Returns the scene without the characters that the installed fonts lack. A text that makes no
 *  sense without them (see `writableText`) is left out. The reasons are added to `notDrawn`.
 *  Returns the same object when all texts can be written. */
export function withWritableTexts(scene: Scene): Scene {
  const written = scene.letterings.map(lettering => ({ lettering, ...writableText(lettering.text) }))
  const reasons = written.flatMap(({ reason }) => reason ?? [])
  if (reasons.length === 0) return scene
  const letterings = written.flatMap(({ lettering, text }) => (text === undefined ? [] : [{ ...lettering, text }]))
  return { ...scene, letterings, notDrawn: [...scene.notDrawn, ...reasons] }
}
