/** Short functions with which slide templates (frames) are written. A point of the form `Lead:
 *  rest` becomes a card. */
import type { Frame } from '../frame.ts'

type Rank = Frame['rank']

export function points(rank: Rank, title: string, notes: string, ...lines: readonly string[]): Frame {
  return { layout: 'points', title, points: lines, notes, rank }
}

/** Returns a frame of steps; each line is written as `Label | Title | text`. */
export function steps(rank: Rank, title: string, notes: string, ...lines: readonly string[]): Frame {
  const made = lines.map(line => {
    const [label = '', name = '', text = ''] = line.split(' | ')
    return { label, title: name, text }
  })
  return { layout: 'timeline', title, steps: made, notes, rank }
}

/** Returns a frame of columns; each column is a list of its title and its points. */
export function columns(rank: Rank, title: string, notes: string, ...all: readonly (readonly string[])[]): Frame {
  return { layout: 'columns', title, columns: all.map(([name = '', ...rest]) => ({ title: name, points: rest })), notes, rank }
}

/** Returns a frame with a table; each row is written as `cell | cell | cell`, the header row
 *  first. */
export function table(rank: Rank, title: string, notes: string, ...rows: readonly string[]): Frame {
  const [head = [], ...rest] = rows.map(row => row.split(' | '))
  return { layout: 'table', title, table: { head, rows: rest }, notes, rank }
}

export function picture(rank: Rank, title: string, notes: string, ...lines: readonly string[]): Frame {
  return { layout: 'picture', title, points: lines, picture: '{p:near}', notes, rank }
}

/** Returns a frame with a chart whose numbers are invented; `example` is the text on the page that
 *  says so. */
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
