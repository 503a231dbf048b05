import assert from 'node:assert/strict'
import type { Scene, Subject } from '../../scene.ts'

/** Returns everything that a scene states as short facts, for tests. Examples: `2 dog`, `dog is
 *  brown`, `fox under cherry tree`, `fox sitting`, `cat at left`, `girl wears hat`, `girl clothes
 *  dress #d32f2f`, `@meadow`, `night`, `rain`, `style oil`, `mood dreamy`, `text OPEN on sign`,
 *  `undrawn brass thing`. */
export function factsOf(scene: Scene): Set<string> {
  const nouns = new Map(scene.subjects.map(subject => [subject.id, subject.noun]))
  return new Set([
    ...scene.subjects.flatMap(subject => subjectFacts(subject, nouns)),
    `@${scene.setting.kind}`,
    ...scene.setting.details.map(detail => `place ${detail}`),
    ...(scene.setting.colour ? [`place is ${scene.setting.colour.name}`] : []),
    scene.time,
    scene.season,
    ...scene.weather,
    `style ${scene.style}`,
    ...scene.moods.map(mood => `mood ${mood}`),
    `framing ${scene.camera.framing}`,
    `angle ${scene.camera.angle}`,
    ...(scene.camera.bokeh ? ['bokeh'] : []),
    ...scene.letterings.flatMap(({ text, on }) => [`text ${text}`, ...(on ? [`text ${text} on ${nouns.get(on) ?? ''}`] : [])]),
    ...scene.notDrawn.map(words => `undrawn ${words}`),
  ])
}

function subjectFacts(subject: Subject, nouns: ReadonlyMap<string, string>): string[] {
  const { noun, place, person } = subject
  return [
    noun,
    `${subject.count} ${noun}`,
    `${noun} is ${subject.colour?.name ?? 'natural'}`,
    `${noun} size ${subject.size}`,
    `${noun} lives ${subject.habitat}`,
    ...(subject.pose ? [`${noun} ${subject.pose}`] : []),
    ...subject.looks.map(look => `${noun} looks ${look}`),
    ...subject.relations.map(
      relation => `${noun} ${relation.kind} ${nouns.get(relation.of) ?? ''}${relation.and ? ` and ${nouns.get(relation.and) ?? ''}` : ''}`,
    ),
    ...[place?.horizontal, place?.vertical, place?.depth].flatMap(where => (where ? [`${noun} at ${where}`] : [])),
    ...(subject.isBackground ? [`${noun} behind all`] : []),
    ...(person ? personFacts(noun, person) : []),
  ]
}

function personFacts(noun: string, person: NonNullable<Subject['person']>): string[] {
  return [
    `${noun} age ${person.age}`,
    `${noun} gender ${person.gender}`,
    ...(person.role ? [`${noun} role ${person.role}`] : []),
    ...(person.beard ? [`${noun} beard`] : []),
    ...(person.skin ? [`${noun} skin ${person.skin}`] : []),
    ...(person.hair?.style ? [`${noun} hair ${person.hair.style}`] : []),
    ...(person.hair?.colour ? [`${noun} hair ${person.hair.colour}`] : []),
    ...person.clothes.flatMap(item => [`${noun} clothes ${item.kind}`, `${noun} clothes ${item.kind} ${item.colour ?? ''}`]),
    ...person.wears.flatMap(item => [`${noun} wears ${item.kind}`, `${noun} wears ${item.kind} ${item.colour ?? ''}`]),
  ]
}

/** Checks facts about a scene. `expected` lists them, separated by semicolons; a fact that begins
 *  with `!` must not be true. */
export function assertFacts(scene: Scene, expected: string): void {
  const facts = factsOf(scene)
  for (const item of expected.split(';').map(part => part.trim())) {
    const isAbsent = item.startsWith('!')
    const fact = isAbsent ? item.slice(1) : item
    assert.equal(
      facts.has(fact),
      !isAbsent,
      `${JSON.stringify(scene.prompt)}: ${isAbsent ? 'unwanted' : 'missing'} fact "${fact}" in\n  ${[...facts].join('; ')}`,
    )
  }
}
