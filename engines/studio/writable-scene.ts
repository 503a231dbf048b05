import type { Scene } from './scene.ts'
import { writableText } from './style/writable.ts'

/** Returns the scene without the texts that contain characters missing from the installed fonts;
 *  the reasons are added to `notDrawn`. Returns the same object when all texts can be written. */
export function withWritableTexts(scene: Scene): Scene {
  const written = scene.letterings.map(lettering => ({ lettering, ...writableText(lettering.text) }))
  const reasons = written.flatMap(({ reason }) => reason ?? [])
  if (reasons.length === 0) return scene
  const letterings = written.flatMap(({ lettering, text }) => (text === undefined ? [] : [{ ...lettering, text }]))
  return { ...scene, letterings, notDrawn: [...scene.notDrawn, ...reasons] }
}
