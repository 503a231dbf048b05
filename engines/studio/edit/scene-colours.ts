import type { Edit } from '../language/edit-types.ts'
import type { Colour, PersonLook, Scene, Subject } from '../scene.ts'
import { findSubjects, subjectNotFound } from './scene-targets.ts'

type RecolourEdit = Extract<Edit, { kind: 'recolour' }>

/** Returns the scene with a subject, a garment or hair of a person, the place, or the lettering
 *  recoloured. Returns `pixels` for a tint of the whole picture or of the sky, which the caller
 *  applies to the pixels, and a sentence with the reason when the edit is impossible. */
export function recolourScene(scene: Scene, edit: RecolourEdit): Scene | 'pixels' | string {
  const { target, colour } = edit
  if (!target || target.noun === 'sky') return 'pixels'
  if (target.noun === 'background') return { ...scene, setting: { ...scene.setting, colour } }
  if (target.noun === 'text') {
    if (scene.letterings.length === 0) return 'There is no text in this picture.'
    return { ...scene, letterings: scene.letterings.map(lettering => ({ ...lettering, colour })) }
  }
  const found = new Set(findSubjects(scene, target))
  if (found.size > 0) {
    return { ...scene, subjects: scene.subjects.map(subject => (found.has(subject) ? colouredSubject(subject, colour) : subject)) }
  }
  return recolourPart(scene, target.noun, colour) ?? subjectNotFound(scene, target)
}

/** Returns the subject in another colour; for a person, the colour of the clothes changes. */
function colouredSubject(subject: Subject, colour: Colour): Subject {
  if (!subject.person) return { ...subject, colour }
  return {
    ...subject,
    colour,
    person: { ...subject.person, clothes: subject.person.clothes.map(garment => ({ ...garment, colour: colour.hex })) },
  }
}

/** Recolours a garment or the hair ("make her dress red", "give him blond hair") of the first
 *  person that has it. Undefined when nobody has it. */
function recolourPart(scene: Scene, noun: string, colour: Colour): Scene | undefined {
  for (const subject of scene.subjects) {
    const person = subject.person && recolouredPerson(subject.person, noun, colour)
    if (person) return { ...scene, subjects: scene.subjects.map(other => (other === subject ? { ...other, person } : other)) }
  }
  return undefined
}

function recolouredPerson(person: PersonLook, noun: string, colour: Colour): PersonLook | undefined {
  if (noun === 'hair') return { ...person, hair: { ...person.hair, colour: colour.hex } }
  const isIt = (item: { kind: string }) => item.kind === noun || noun === 'clothes' || noun === 'clothing'
  if (person.clothes.some(isIt))
    return { ...person, clothes: person.clothes.map(item => (isIt(item) ? { ...item, colour: colour.hex } : item)) }
  if (person.wears.some(isIt)) return { ...person, wears: person.wears.map(item => (isIt(item) ? { ...item, colour: colour.hex } : item)) }
  return undefined
}
