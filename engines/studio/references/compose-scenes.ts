/** Combines several pictures that this engine drew: draws the subjects of all their scenes in the
 *  setting of one of them. */
import { renameNew } from '../edit/scene-edits.ts'
import { findSubjects, subjectNotFound } from '../edit/scene-targets.ts'
import type { Target } from '../language/edit-types.ts'
import type { BorrowedSubject, ReferencePlan } from '../language/references.ts'
import { fromScene, type Scene, type Subject } from '../scene.ts'

/** Parses words such as "the red dog" as the description of a thing in a picture. Empty words are
 *  read like the word "it": they mean the main subject. */
export type TargetReader = (words: string) => Target

/** Returns the scene of the target picture with things from the other pictures added, and a
 *  sentence for each thing that was not found. If the plan names a picture for the style, the
 *  scene gets the style and moods of that picture. `scenes` holds the scene of each picture, in
 *  order. */
export function composeScenes(
  plan: ReferencePlan,
  scenes: readonly (Scene | undefined)[],
  readTarget: TargetReader,
): { scene: Scene; failed: string[]; done: number } {
  const base = scenes[plan.place ?? 0]
  if (!base) throw new RangeError(`no scene for picture ${plan.place}`)
  let scene = structuredClone(base)
  const failed: string[] = []
  let done = 0
  const lent = plan.things.filter(({ picture }) => picture !== (plan.place ?? 0))
  for (const thing of lent) {
    const source = scenes[thing.picture]
    const next = source ? lend(scene, source, { thing, readTarget, host: plan.place ?? 0 }) : `There is no picture ${thing.picture + 1}.`
    if (typeof next === 'string') failed.push(next)
    else {
      scene = next
      done++
    }
  }
  const style = plan.style === undefined ? undefined : scenes[plan.style]
  if (style) {
    scene = { ...scene, style: style.style, moods: style.moods }
    done++
  }
  return { scene, failed, done }
}

/** Words for things that are printed on other things. */
export const isPrint = /\b(?:logo|emblem|badge|icon|label|symbol|print|pattern|sticker)\b|标志|图案|徽标|贴纸|商标/i

interface LentSubject {
  thing: BorrowedSubject
  readTarget: TargetReader
  /** Index of the target picture in `scenes`. */
  host: number
}

function lend(scene: Scene, source: Scene, { thing, readTarget, host }: LentSubject): Scene | string {
  const anchor =
    thing.anchor?.picture === host && thing.anchor.words !== '' ? findSubjects(scene, readTarget(thing.anchor.words))[0] : undefined
  if (thing.anchor && thing.anchor.words !== '' && !anchor) return subjectNotFound(scene, readTarget(thing.anchor.words))
  const [lettering] = source.letterings
  if (anchor && lettering && (isPrint.test(thing.words) || /\b(?:text|words?|lettering|title)\b|文字|字/i.test(thing.words))) {
    const { place: _, ...own } = lettering
    return { ...scene, letterings: [...scene.letterings, { ...own, on: anchor.id }] }
  }
  const named = subjectsOf(source, thing.words, readTarget)
  // When no thing in the picture is called "logo", the picture as a whole may be the logo, so its
  // main subjects are used.
  const found = named.length === 0 && isPrint.test(thing.words) ? subjectsOf(source, '', readTarget) : named
  if (found.length === 0) return subjectNotFound(source, readTarget(thing.words))
  const renamed = renameNew(
    scene,
    withBelongings(source, found).map(subject => fromScene(subject, source)),
  )
  const [first] = renamed
  if (first && anchor && thing.anchor)
    first.relations = [
      ...first.relations.filter(({ of }) => renamed.some(({ id }) => id === of)),
      { kind: thing.anchor.relation, of: anchor.id },
    ]
  return { ...scene, subjects: [...scene.subjects, ...renamed.map(subject => within(subject, renamed, anchor))] }
}

/** Returns the subjects of a scene that the words name; for empty words, the main subjects. */
export function subjectsOf(source: Scene, words: string, readTarget: TargetReader): Subject[] {
  if (words !== '') return findSubjects(source, readTarget(words))
  const main = source.subjects.filter(({ isBackground, habitat }) => !isBackground && habitat !== 'sky')
  return main.length > 0 ? main : source.subjects.slice(0, 1)
}

/** Returns the subjects together with the things that they wear, hold or ride. */
function withBelongings(source: Scene, subjects: readonly Subject[]): Subject[] {
  const kept = new Set(subjects)
  for (const subject of kept) {
    for (const { kind, of } of subject.relations) {
      const thing = source.subjects.find(({ id }) => id === of)
      if (thing && ['wearing', 'holding', 'carrying', 'riding'].includes(kind)) kept.add(thing)
    }
  }
  return [...kept]
}

/** Returns a subject without the properties that refer to its old scene: its position in the
 *  frame, its place in the background, and relations to things that are not taken into the new
 *  scene. */
function within(subject: Subject, lent: readonly Subject[], anchor: Subject | undefined): Subject {
  const { place: _, ...own } = subject
  const known = (id: string | undefined) => id === undefined || id === anchor?.id || lent.some(other => other.id === id)
  return { ...own, isBackground: false, relations: subject.relations.filter(({ of, and }) => known(of) && known(and)) }
}
