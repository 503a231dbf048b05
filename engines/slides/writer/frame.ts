/** Frames are slide templates for a kind of talk: questions that it should answer, and advice on
 *  method. Frames state no facts about the subject. Placeholders: `{s}` is the subject, `{o}` the
 *  other side of a comparison, `{p:near}` a picture of a close-up. */
import type { Slide, SlideChart } from '@generation-gateway/kit/requests/slides.ts'
import type { Topic } from './topic.ts'

export interface Frame {
  layout: 'points' | 'columns' | 'timeline' | 'table' | 'picture' | 'chart'
  title: string
  points?: readonly string[]
  columns?: readonly { title: string; points: readonly string[] }[]
  steps?: readonly { label: string; title: string; text?: string }[]
  table?: { head: readonly string[]; rows: readonly (readonly string[])[] }
  picture?: string
  /** Chart with invented numbers that only show its form; `source` labels it as an example. */
  chart?: SlideChart
  source?: string
  /** Speaker notes; the origin of the text is appended. */
  notes: string
  /** Importance: 1 is kept even in the shortest deck, 3 appears only in a long one. */
  rank: 1 | 2 | 3
  /** Rank when the deck also has slides of facts. When absent, it is `rank` for topics that ask
   *  a question; for other topics 2 for the first frame of a kind and 3 for the others. */
  withFacts?: 1 | 2 | 3
}

/** Returns the slide for a frame, with the placeholders replaced by the words of the topic. */
export function slideOf(frame: Frame, topic: Topic, origin: string): Slide {
  const shown = [...shownOf(topic)].slice(0, 200).join('')
  const near = /\p{sc=Han}/u.test(shown) ? `${shown}特写` : `close-up of ${shown}`
  const subject = inShort(topic.subject)
  const words: Readonly<Record<string, string>> = {
    '{s}': subject,
    '{o}': topic.other === undefined ? subject : inShort(topic.other),
    '{p:near}': near,
  }
  const say = (text: string) => capitalised(text.replace(/\{(?:s|o|p:near)\}/g, place => words[place] ?? place))
  const { columns, steps, table, picture, chart, source } = frame
  return {
    layout: frame.layout,
    title: say(frame.title),
    points: (frame.points ?? []).map(say),
    notes: `${say(frame.notes)} ${origin}`,
    ...(columns ? { columns: columns.map(({ title, points }) => ({ title: say(title), points: points.map(say) })) } : {}),
    ...(steps
      ? { steps: steps.map(({ label, title, text }) => ({ label, title: say(title), ...(text === undefined ? {} : { text: say(text) }) })) }
      : {}),
    ...(table ? { table: { head: table.head.map(say), rows: table.rows.map(row => row.map(say)) } } : {}),
    ...(picture === undefined ? {} : { picture: say(picture) }),
    ...(chart
      ? { chart: { ...chart, series: chart.series.map(({ name, values }) => ({ name: [...say(name)].slice(0, 58).join(''), values })) } }
      : {}),
    ...(source === undefined ? {} : { source }),
  }
}

/** Returns the subject for use in a sentence. A subject that is longer than a line is replaced by
 *  "this". */
function inShort(subject: string): string {
  const isChinese = /\p{sc=Han}/u.test(subject)
  return [...subject].length <= (isChinese ? 14 : 48) ? subject : isChinese ? '这个主题' : 'this'
}

/** Returns the object that a picture of the topic can show: `bread` for `baking bread`. */
export function shownOf(topic: Topic): string {
  return shownWith(topic).replace(/^(?:the|an?) /, '')
}

function shownWith({ kind, subject, title }: Topic): string {
  const place = kind === 'plan' ? /\bfor (?:an? |the |our )?(?<what>[^,:]+)$/i.exec(title)?.groups?.what : undefined
  if (place !== undefined) return place
  if (kind !== 'process') return subject
  const isChinese = /\p{sc=Han}/u.test(subject)
  const bare = isChinese
    ? subject.replace(/^(?:制作|种植|学习|自制|种|做|烤|煮|炒|炖|蒸|包|学|养|泡)(?=.{2})/u, '')
    : subject.replace(/^\S+\s+(?:an?\s+|the\s+|your\s+)?(?=\S)/, '')
  return bare || subject
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
