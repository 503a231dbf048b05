import type { Relation, Scene, Subject } from '../scene.ts'

/** Returns the subjects with a mirror image for each one that looks into a mirror, as in "a cat
 *  looking at itself in a mirror". The cat then stands in front of the mirror, and its image is
 *  printed on the mirror. */
export function mirrored(subjects: readonly Subject[], seed: Scene['seed']): Subject[] {
  const mirrors = new Map<string, Subject>()
  const images: Subject[] = []
  const turned = subjects.map(subject => {
    const into = subject.relations.find(({ kind, of }) => looksInto.has(kind) && isMirror(subjects, of))
    if (!into || !isLookedInto(subject, into)) return subject
    const mirror = subjects.find(({ id }) => id === into.of)
    if (mirror) mirrors.set(mirror.id, { ...mirror, heightMetres: subject.heightMetres * 1.2, habitat: 'ground' })
    images.push({
      ...subject,
      id: `s${subjects.length + images.length + 1}`,
      relations: [{ kind: 'printed-on', of: into.of }],
      origin: subject.origin ?? { seed, id: subject.id },
    })
    return { ...subject, relations: subject.relations.map(one => (one === into ? { ...one, kind: 'facing' as const } : one)) }
  })
  return [...turned.map(subject => mirrors.get(subject.id) ?? subject), ...images]
}

const looksInto: ReadonlySet<Relation['kind']> = new Set(['in', 'facing', 'in-front-of'])

function isMirror(subjects: readonly Subject[], id: string): boolean {
  return subjects.some(subject => subject.id === id && subject.art === 'noto:mirror')
}

/** True for a subject that the mirror shows: a single thing on the ground in front of it, but not a
 *  picture that hangs beside it. */
function isLookedInto({ habitat, count }: Subject, { kind }: Relation): boolean {
  return count === 1 && (kind === 'in' || habitat === 'ground' || habitat === 'surface')
}
