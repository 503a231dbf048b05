/** Frames of slides: what a talk of a kind has to answer. They claim nothing; `{s}` is the subject, `{o}` the other side. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Topic } from './topic.ts'

export interface Frame {
  layout: 'points' | 'columns' | 'timeline' | 'table' | 'picture'
  title: string
  points?: readonly string[]
  columns?: readonly { title: string; points: readonly string[] }[]
  steps?: readonly { label: string; title: string; text?: string }[]
  table?: { head: readonly string[]; rows: readonly (readonly string[])[] }
  picture?: string
  /** What the speaker is told; after it comes where the text is from. */
  notes: string
  /** 1 is kept in the shortest deck; 3 only in a long one. */
  rank: 1 | 2 | 3
}

/** A slide of a frame with the words of a topic. */
export function slideOf(frame: Frame, topic: Topic, origin: string): Slide {
  const say = (text: string) => capitalised(text.replaceAll('{s}', topic.subject).replaceAll('{o}', topic.other ?? topic.subject))
  const { columns, steps, table, picture } = frame
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
  }
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
