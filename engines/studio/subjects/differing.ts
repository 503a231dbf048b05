import type { DifferingPlace, Subject } from '../scene.ts'
import type { PlacedSubject } from './placed.ts'

/** Returns the subject in the colour of its copy number `copy`. The copies to which the prompt
 *  gives a colour of their own have the first numbers of the group. */
export function asCopy(subject: Subject, copy: number): Subject {
  const own = subject.differing?.[copy]
  return own ? { ...subject, colour: own.colour } : subject
}

/** Returns the positions, with the copy numbers exchanged so that each copy of another colour is
 *  where the prompt wants it: second from the left, on top of a stack. */
export function putDiffering(placed: readonly PlacedSubject[], subjects: readonly Subject[]): PlacedSubject[] {
  const copies = new Map<PlacedSubject, number>()
  for (const { id, differing } of subjects) {
    if (!differing) continue
    const free = placed.filter(({ subject }) => subject === id)
    const left = free.map(({ copy }) => copy).sort((a, b) => a - b)
    const all = [...free]
    for (const [copy, { at }] of differing.entries()) {
      const one = pick(all, at)
      const taken = one && free.includes(one) ? one : free[0]
      if (!taken) continue
      copies.set(taken, copy)
      free.splice(free.indexOf(taken), 1)
      left.splice(left.indexOf(copy), 1)
    }
    for (const [index, one] of free.entries()) copies.set(one, left[index] ?? one.copy)
  }
  return copies.size > 0 ? placed.map(one => renumbered(one, placed, copies)) : [...placed]
}

function renumbered(one: PlacedSubject, placed: readonly PlacedSubject[], copies: ReadonlyMap<PlacedSubject, number>): PlacedSubject {
  const host = placed.find(({ subject, copy }) => subject === one.host?.subject && copy === one.host.copy)
  const hostCopy = host ? copies.get(host) : undefined
  return {
    ...one,
    copy: copies.get(one) ?? one.copy,
    ...(one.host && hostCopy !== undefined ? { host: { ...one.host, copy: hostCopy } } : {}),
  }
}

function pick(all: readonly PlacedSubject[], at: DifferingPlace): PlacedSubject | undefined {
  const middle = ({ box }: PlacedSubject) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
  const across = [...all].sort((a, b) => middle(a).x - middle(b).x)
  const down = [...all].sort((a, b) => middle(a).y - middle(b).y)
  if (typeof at === 'number') return across[at]
  const isColumn = spread(all.map(one => middle(one).y)) > spread(all.map(one => middle(one).x))
  const row = isColumn ? down : across
  switch (at) {
    case 'left':
      return across[0]
    case 'right':
      return across.at(-1)
    case 'top':
      return down[0]
    case 'bottom':
      return down.at(-1)
    case 'middle':
      return row[Math.floor((row.length - 1) / 2)]
    case 'any':
      return row[Math.floor(row.length * 0.7)]
    default:
      return assertNever(at)
  }
}

function assertNever(at: never): never {
  throw new RangeError(`unknown place ${String(at)}`)
}

function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values)
}
