import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { hasFace } from '@generation-gateway/studio/faces/find.ts'
import { sceneOf } from '@generation-gateway/studio/picture-edit.ts'
import type { Pixels } from '@generation-gateway/studio/style/pixels.ts'

/** Returns whether a subject picture shows a usable face. If the built-in image engine (studio)
 *  drew the picture, its scene shows whether there is a person, however small. Any other picture is
 *  searched for a face. */
export async function showsFace(input: InputFile, seen: Pixels): Promise<boolean> {
  const [scene] = sceneOf(input)?.scenes ?? []
  return scene ? scene.subjects.some(({ person }) => person !== undefined) : hasFace(seen)
}
