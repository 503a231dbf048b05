import { colourWords } from '../language/lexicon/colours.ts'
import type { RelationKind, Scene, Subject } from '../scene.ts'
import type { Expectation, ExpectedSubject } from './prompts.ts'

export type { Expectation, PixelFact, PromptCase } from './prompts.ts'

type Category =
  | 'subject'
  | 'art'
  | 'count'
  | 'colour'
  | 'look'
  | 'relation'
  | 'place'
  | 'setting'
  | 'time'
  | 'weather'
  | 'style'
  | 'lettering'
  | 'not drawn'
  | 'pixels'
  | 'visible'

export interface Finding {
  category: Category
  isMet: boolean
  /** The expectation, in words. */
  wanted: string
}

/** Returns for each expectation of a case whether the scene meets it. */
export function judge(scene: Scene, expect: Expectation): Finding[] {
  const free = new Set(scene.subjects)
  const found = expect.subjects.map(wanted => ({ wanted, subject: claim(free, wanted) }))
  return [
    ...found.flatMap(({ wanted, subject }) => judgeSubject(wanted, subject)),
    ...(expect.relations ?? []).map(relation => judgeRelation(scene, relation)),
    ...judgeScene(scene, expect),
  ]
}

/** Returns the share (0 to 1) of met expectations, in total and for each category. */
export function share(findings: readonly Finding[]): { total: number; byCategory: Record<string, number> } {
  const rate = (list: readonly Finding[]) => (list.length === 0 ? 1 : list.filter(finding => finding.isMet).length / list.length)
  const categories = [...new Set(findings.map(finding => finding.category))]
  return {
    total: rate(findings),
    byCategory: Object.fromEntries(categories.map(category => [category, rate(findings.filter(finding => finding.category === category))])),
  }
}

function isNamed(subject: Subject, nouns: string): boolean {
  return nouns
    .split('|')
    .some(
      noun =>
        subject.noun === noun ||
        subject.noun.endsWith(` ${noun}`) ||
        subject.person?.role === noun ||
        (noun === 'person' && subject.person !== undefined),
    )
}

/** Removes from `free` the subject that meets most of the expectations, and returns it. Only
 *  subjects with the expected noun are considered; undefined when there is none. */
function claim(free: Set<Subject>, wanted: ExpectedSubject): Subject | undefined {
  const fitting = [...free].filter(subject => isNamed(subject, wanted.noun))
  const best = fitting.sort((a, b) => met(wanted, b) - met(wanted, a))[0]
  if (best) free.delete(best)
  return best
}

function met(wanted: ExpectedSubject, subject: Subject): number {
  return judgeSubject(wanted, subject).filter(finding => finding.isMet).length
}

function judgeSubject(wanted: ExpectedSubject, subject: Subject | undefined): Finding[] {
  const findings: Finding[] = [{ category: 'subject', isMet: subject !== undefined, wanted: wanted.noun }]
  const add = (category: Category, isMet: boolean, what: string) => findings.push({ category, isMet, wanted: `${wanted.noun}: ${what}` })
  const { art, count, minCount, colour, person } = { ...wanted, person: subject?.person }
  if (art) add('art', subject !== undefined && new RegExp(art).test(subject.art), `art ${art}, not ${subject?.art ?? 'there'}`)
  if (count !== undefined) add('count', subject?.count === count, `count ${count}`)
  if (minCount !== undefined) add('count', (subject?.count ?? 0) >= minCount, `count from ${minCount}`)
  // For some things with a colour in their name ("green apple") there is a drawing. The noun then
  // contains the colour, and `colour` is not set.
  if (colour) add('colour', subject?.colour?.name === colour || (subject?.noun.split(' ').includes(colour) ?? false), colour)
  for (const look of wanted.looks ?? []) add('look', subject?.looks.some(item => look.split('|').includes(item)) ?? false, look)
  if (wanted.pose) add('look', wanted.pose.split('|').includes(subject?.pose ?? ''), wanted.pose)
  if (wanted.size) add('look', subject?.size === wanted.size, wanted.size)
  if (wanted.horizontal) add('place', subject?.place?.horizontal === wanted.horizontal, wanted.horizontal)
  if (wanted.vertical) add('place', subject?.place?.vertical === wanted.vertical, wanted.vertical)
  if (wanted.depth) add('place', subject?.place?.depth === wanted.depth, wanted.depth)
  if (wanted.role) add('look', person?.role === wanted.role, wanted.role)
  if (wanted.gender) add('look', person?.gender === wanted.gender, wanted.gender)
  if (wanted.age) add('look', person?.age === wanted.age, wanted.age)
  if (wanted.hair) add('colour', isHair(person?.hair?.colour, wanted.hair), `${wanted.hair} hair`)
  if (wanted.hairStyle) add('look', person?.hair?.style === wanted.hairStyle, `${wanted.hairStyle} hair`)
  if (wanted.beard) add('look', person?.beard === true, 'beard')
  for (const worn of wanted.wears ?? []) add('look', person?.wears.some(item => item.kind === worn) ?? false, worn)
  for (const garment of wanted.clothes ?? []) add('look', isDressed(subject, garment), `${garment.colour ?? ''} ${garment.kind}`)
  return findings
}

function isDressed(subject: Subject | undefined, wanted: { kind: string; colour?: string }): boolean {
  const hex = wanted.colour === undefined ? undefined : colourWords.get(wanted.colour)?.hex
  return (
    subject?.person?.clothes.some(item => wanted.kind.split('|').includes(item.kind) && (hex === undefined || item.colour === hex)) ?? false
  )
}

/** True when a hair colour fits the word for it. Colour words have another meaning for hair: red
 *  hair is a reddish brown. */
function isHair(hex: string | undefined, name: string): boolean {
  if (hex === undefined) return false
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))
  switch (name) {
    case 'red':
      return red > 120 && red > green * 1.8
    case 'black':
      return Math.max(red, green, blue) < 60
    case 'white':
      return Math.min(red, green, blue) > 220
    case 'silver':
      return Math.min(red, green, blue) > 170 && Math.max(red, green, blue) - Math.min(red, green, blue) < 30
    default:
      return colourWords.get(name)?.hex === hex
  }
}

/** For each relation of a first thing to a second one, the relation of the second thing to the
 *  first in the same arrangement: when the tie is above the sink, the sink is under the tie. */
const inverse: Partial<Record<RelationKind, RelationKind>> = {
  above: 'under',
  under: 'above',
  behind: 'in-front-of',
  'in-front-of': 'behind',
  beside: 'beside',
  'left-of': 'right-of',
  'right-of': 'left-of',
}

function judgeRelation(scene: Scene, wanted: { subject: string; kind: string; of: string }): Finding {
  const kinds = wanted.kind.split('|')
  const named = (nouns: string) => scene.subjects.filter(subject => isNamed(subject, nouns))
  const isMet = named(wanted.subject).some(
    subject =>
      named(wanted.of).some(target => target !== subject && kinds.some(kind => isRelated(subject, kind, target))) ||
      (kinds.includes('wearing') && wanted.of.split('|').some(worn => subject.person?.wears.some(item => item.kind === worn))),
  )
  return { category: 'relation', isMet, wanted: `${wanted.subject} ${wanted.kind} ${wanted.of}` }
}

function isRelated(subject: Subject, kind: string, target: Subject): boolean {
  return (
    subject.relations.some(relation => relation.kind === kind && (relation.of === target.id || relation.and === target.id)) ||
    target.relations.some(relation => inverse[relation.kind] === kind && relation.of === subject.id)
  )
}

function judgeScene(scene: Scene, expect: Expectation): Finding[] {
  const findings: Finding[] = []
  const add = (category: Category, isMet: boolean, wanted: string) => findings.push({ category, isMet, wanted })
  if (expect.setting) add('setting', expect.setting.split('|').includes(scene.setting.kind), `setting ${expect.setting}`)
  if (expect.time) add('time', expect.time.split('|').includes(scene.time), `time ${expect.time}`)
  if (expect.season) add('time', scene.season === expect.season, `season ${expect.season}`)
  for (const weather of expect.weather ?? [])
    add(
      'weather',
      scene.weather.some(item => item === weather),
      `weather ${weather}`,
    )
  if (expect.style) add('style', expect.style.split('|').includes(scene.style), `style ${expect.style}`)
  if (expect.format) add('style', scene.format?.kind === expect.format, `format ${expect.format}`)
  for (const mood of expect.moods ?? []) add('style', scene.moods.includes(mood), `mood ${mood}`)
  if (expect.camera?.framing) add('style', scene.camera.framing === expect.camera.framing, `framing ${expect.camera.framing}`)
  if (expect.camera?.angle) add('style', expect.camera.angle.split('|').includes(scene.camera.angle), `angle ${expect.camera.angle}`)
  for (const noun of expect.absent ?? []) add('subject', !scene.subjects.some(subject => isNamed(subject, noun)), `no ${noun}`)
  for (const words of expect.seen ?? []) add('setting', isSeen(scene, words), words)
  if (expect.people) add('count', isWithin(expect.people, peopleIn(scene)), `${expect.people.min} to ${expect.people.max} people`)
  if (expect.notDrawn)
    add('not drawn', leftOut(scene, expect.notDrawn).length === 0, `all drawn but ${leftOut(scene, expect.notDrawn).join(', ')}`)
  for (const lettering of expect.letterings ?? []) add('lettering', hasLettering(scene, lettering), `lettering ${lettering.text}`)
  return findings
}

function isSeen({ setting, subjects }: Scene, words: string): boolean {
  const place = [setting.kind, setting.words, ...setting.details]
  return words.split('|').some(word => place.includes(word)) || subjects.some(subject => isNamed(subject, words))
}

function isWithin({ min, max }: { min: number; max: number }, count: number): boolean {
  return count >= min && count <= max
}

function peopleIn({ subjects }: Scene): number {
  return subjects.reduce((sum, { person, count }) => sum + (person ? count : 0), 0)
}

/** Returns the words that the engine reported as not drawn, without those that the case allows. */
function leftOut({ notDrawn }: Scene, allowed: readonly string[]): string[] {
  return notDrawn.filter(words => words.split(' ').some(word => !allowed.includes(word)))
}

function hasLettering(scene: Scene, wanted: { text: string; on?: string }): boolean {
  return scene.letterings.some(lettering => {
    const bearer = scene.subjects.find(subject => subject.id === lettering.on)
    return (
      wanted.text.split('|').includes(lettering.text) && (wanted.on === undefined || (bearer !== undefined && isNamed(bearer, wanted.on)))
    )
  })
}
