import type { ArtCatalogue } from '../art/entry.ts'
import type { Camera, Setting, Subject } from '../scene.ts'
import { type Draft, note } from './draft.ts'
import { indoors } from './indoors.ts'

const front = /\b(?:front view|frontal view|head-on view|(?:seen|viewed) (?:head-on|from the front))\b/i
const below = /\b(?:from below|worm['’]?s[- ]eye(?: view)?)\b/i
const above =
  /\b(?:bird['’]?s[- ]eye(?: view)?|aerial (?:view|shot|photo)|drone (?:view|shot|photo)|overhead (?:view|shot)|top(?:-down)? view)\b/i

/** Categories whose drawings show a thing from the side, whatever the prompt says about the
 *  camera. */
const sided = /^(vehicle|aircraft|watercraft)$/
/** Categories whose drawings show a thing upright, as seen from eye level, whatever the prompt says
 *  about the camera. */
const upright = /^(person|animal|bird|creature|building|landmark|structure|vehicle|tree)$/
/** Matches the keys of the drawings in these categories that show a thing from the front or from
 *  above. */
const turned = /oncoming|from-above|^noto:(?:metro|tram|train|trolleybus)$/

interface ViewContext {
  camera: Camera
  setting: Setting
  subjects: readonly Subject[]
  art: ArtCatalogue
}

/** Reports the words for a view, such as "from below", as not drawn when a main subject has a
 *  drawing that does not show this view. */
export function noteViewLosses(draft: Draft, prompt: string, { camera, setting, subjects, art }: ViewContext): void {
  const near = subjects.filter(({ isBackground, habitat }) => !isBackground && habitat !== 'sky')
  const has = (kind: RegExp) => near.some(subject => kind.test(art.categoryOf(subject.art)) && !turned.test(subject.art))
  const lost = (view: RegExp, isLost: boolean) => {
    const said = view.exec(prompt)?.[0]
    if (said !== undefined && isLost) note(draft, said.toLowerCase())
  }
  lost(front, has(sided))
  lost(below, has(upright))
  lost(/\b(?:(?:seen|viewed|photographed|shot) )?from above\b/i, has(sided) && camera.angle !== 'top')
  const isFromAbove = camera.angle === 'aerial' || camera.angle === 'top'
  lost(above, isFromAbove && (has(upright) || (camera.angle === 'aerial' && indoors.has(setting.kind))))
}
