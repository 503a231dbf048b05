import type { RelationKind, Scene, Subject } from '../scene.ts'

const relationWords: Record<RelationKind, string> = {
  on: 'on',
  in: 'in',
  under: 'under',
  above: 'above',
  behind: 'behind',
  'in-front-of': 'in front of',
  beside: 'beside',
  'left-of': 'to the left of',
  'right-of': 'to the right of',
  between: 'between',
  around: 'around',
  riding: 'riding',
  holding: 'holding',
  wearing: 'wearing',
  carrying: 'carrying',
  chasing: 'chasing',
  facing: 'facing',
  'printed-on': 'drawn on',
}

/** Returns an English sentence about the scene: first the subjects with their numbers, colours and
 *  relations, then the place, time, weather and style. */
export function describeScene(scene: Scene): string {
  const nouns = new Map(scene.subjects.map(subject => [subject.id, nounPhrase(subject, true)]))
  const things = scene.subjects.map(subject =>
    [
      nounPhrase(subject, false),
      ...subject.relations.map(relation => `${relationWords[relation.kind]} the ${nouns.get(relation.of) ?? 'other'}`),
    ].join(' '),
  )
  const what = things.length === 0 ? 'No single subject' : joinWords(things)
  const weather = scene.weather.filter(item => item !== 'clear')
  const place = scene.setting.kind === 'abstract' ? 'an abstract composition' : `a ${scene.setting.kind.replaceAll('-', ' ')} setting`
  const sky = weather.length > 0 ? `, ${joinWords(weather)}` : ''
  const text =
    scene.letterings.length > 0 ? `, with the text ${joinWords(scene.letterings.map(lettering => JSON.stringify(lettering.text)))}` : ''
  const missing = scene.notDrawn.length > 0 ? ` Not drawn: ${scene.notDrawn.join('; ')}.` : ''
  return `${what}; ${place}, ${scene.season} ${scene.time}${sky}, ${scene.style} style${text}.${missing}`
}

function nounPhrase(subject: Subject, isBare: boolean): string {
  const count = subject.count > 1 ? `${subject.count} ` : ''
  const size = subject.size === 'normal' ? '' : `${subject.size} `
  const colour = subject.colour ? `${subject.colour.name} ` : ''
  const pose = subject.pose && subject.pose !== 'holding' && subject.pose !== 'riding' ? ` ${subject.pose}` : ''
  return isBare ? subject.noun : `${count}${size}${colour}${subject.noun}${pose}`
}

function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}
