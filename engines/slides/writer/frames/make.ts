/** Short ways to write a frame. `Lead: rest` in a point makes a card of it. */
import type { Frame } from '../frame.ts'

type Rank = Frame['rank']

export function points(rank: Rank, title: string, notes: string, ...lines: readonly string[]): Frame {
  return { layout: 'points', title, points: lines, notes, rank }
}

/** `Label | Title | text` of each step. */
export function steps(rank: Rank, title: string, notes: string, ...lines: readonly string[]): Frame {
  const made = lines.map(line => {
    const [label = '', name = '', text = ''] = line.split(' | ')
    return { label, title: name, text }
  })
  return { layout: 'timeline', title, steps: made, notes, rank }
}

/** Each column: its title, then its points. */
export function columns(rank: Rank, title: string, notes: string, ...all: readonly (readonly string[])[]): Frame {
  return { layout: 'columns', title, columns: all.map(([name = '', ...rest]) => ({ title: name, points: rest })), notes, rank }
}

/** `cell | cell | cell` of each row, the head first. */
export function table(rank: Rank, title: string, notes: string, ...rows: readonly string[]): Frame {
  const [head = [], ...rest] = rows.map(row => row.split(' | '))
  return { layout: 'table', title, table: { head, rows: rest }, notes, rank }
}

export function picture(rank: Rank, title: string, notes: string, ...lines: readonly string[]): Frame {
  return { layout: 'picture', title, points: lines, picture: '{p:near}', notes, rank }
}

/** Numbers that show the form alone; `example` says so on the page. */
export function exampleChart(
  rank: Rank,
  title: string,
  notes: string,
  {
    example,
    kind,
    labels,
    series,
    lines = [],
  }: {
    example: string
    kind: 'bar' | 'line' | 'pie'
    labels: readonly string[]
    series: Readonly<Record<string, readonly number[]>>
    lines?: readonly string[]
  },
): Frame {
  const drawn = {
    kind,
    labels: [...labels],
    series: Object.entries(series).map(([name, values]) => ({ name, values: [...values] })),
    unit: '%',
  }
  return { layout: 'chart', title, points: lines, chart: drawn, source: example, notes, rank }
}
