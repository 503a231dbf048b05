import type { Target } from '../language/edit-types.ts'
import type { Scene, Subject } from '../scene.ts'

/** Returns the subjects that an instruction refers to: the first that matches, or with `all` every
 *  one; empty when none matches. */
export function findSubjects(scene: Scene, target: Target): Subject[] {
  const named = scene.subjects.filter(subject => isNamed(subject, target, scene))
  const coloured = target.colour ? named.filter(subject => isOfColour(subject, target)) : named
  // When no subject has the colour, the colour is ignored if only one subject has the right name.
  // When no subject has the position, the position is ignored.
  const fitting = coloured.length > 0 ? coloured : named.length === 1 ? named : []
  const placed = fitting.filter(subject => isPlaced(subject, target))
  const found = placed.length > 0 ? placed : fitting
  return target.all ? found : found.slice(0, 1)
}

/** Returns a sentence for the user which says that the target is not in the picture, and which
 *  lists the things that are in it. */
export function subjectNotFound(scene: Scene, target: Target): string {
  const things = scene.subjects.map(subject => subject.words || subject.noun)
  const list = things.length > 0 ? `it shows ${things.join(', ')}` : 'it shows no single things'
  return `There is no "${target.words}" in this picture; ${list}.`
}

function isNamed(subject: Subject, target: Target, scene: Scene): boolean {
  if (target.noun === 'it') return subject === mainSubject(scene)
  const noun = subject.noun.toLowerCase()
  const wanted = target.noun.toLowerCase()
  if (noun === wanted || noun.endsWith(` ${wanted}`) || wanted.endsWith(` ${noun}`)) return true
  // The words before "of" also name a thing: "the cup" matches "cup of coffee".
  if (noun.startsWith(`${wanted} of `)) return true
  if (subject.person && isPersonWord(wanted, subject)) return true
  const words = subject.words.toLowerCase()
  return /[\u4e00-\u9fff]/.test(target.words) && words !== '' && (words.includes(target.words) || target.words.includes(words))
}

function mainSubject(scene: Scene): Subject | undefined {
  return scene.subjects.find(subject => !subject.isBackground) ?? scene.subjects[0]
}

function isPersonWord(word: string, subject: Subject): boolean {
  const { age, gender, role } = subject.person ?? {}
  if (word === 'person' || word === role) return true
  if (word === 'woman') return gender === 'woman' && age !== 'child'
  if (word === 'man') return gender === 'man' && age !== 'child'
  if (word === 'girl') return gender === 'woman'
  if (word === 'boy') return gender === 'man'
  return (word === 'child' || word === 'kid') && age === 'child'
}

function isOfColour(subject: Subject, target: Target): boolean {
  if (subject.colour) return subject.colour.name === target.colour?.name
  // The natural colour of a thing ("the red fox") is not stored as its colour; only the subject's
  // words contain it.
  return target.colour !== undefined && subject.words.toLowerCase().includes(target.colour.name.toLowerCase())
}

function isPlaced(subject: Subject, target: Target): boolean {
  const { place } = target
  if (!place) return true
  return (
    (!place.horizontal || subject.place?.horizontal === place.horizontal) &&
    (!place.vertical || subject.place?.vertical === place.vertical) &&
    (!place.depth || subject.place?.depth === place.depth)
  )
}
