/** Limits of requests, and the messages for violations. */
import type { Slide, SlideLayout, SlidesOutput, SlidesRenderRequest } from '@generation-gateway/kit/requests/slides.ts'

export const limits = {
  slides: 100,
  titleCharacters: 300,
  points: 30,
  pointCharacters: 2000,
  notesCharacters: 20_000,
  labelCharacters: 100,
  columnTitleCharacters: 80,
  sourceCharacters: 120,
  /** Largest number of characters of a point on an agenda slide, and of a point below the title of
   *  a title, section or closing slide. */
  shortPointCharacters: 120,
  coverPoints: 3,
  quoteCharacters: 600,
  stepTextCharacters: 200,
  columns: 3,
  figures: 12,
  labels: 24,
  series: 6,
  /** Largest absolute value in a chart. The axis and the labels have room for numbers up to this
   *  one. */
  chartValue: 1e15,
  tableColumns: 8,
  tableRows: 60,
  cellCharacters: 400,
  steps: 20,
  pictures: 50,
} as const

/** All layouts. */
export const layouts: readonly SlideLayout[] = [
  'title',
  'agenda',
  'section',
  'points',
  'columns',
  'quote',
  'figures',
  'picture',
  'chart',
  'table',
  'timeline',
  'closing',
]
/** Maps each layout that shows a special kind of content, such as a chart, to the member of the
 *  slide that holds this content. No other layout shows that member. */
const memberOf: Readonly<Partial<Record<SlideLayout, 'columns' | 'quote' | 'figures' | 'chart' | 'table' | 'steps'>>> = {
  columns: 'columns',
  quote: 'quote',
  figures: 'figures',
  chart: 'chart',
  table: 'table',
  timeline: 'steps',
}

/** Returns a message with slide, member and limit when the slides cannot be laid out; undefined
 *  when they can. */
export function problemOf(
  { title, slides }: Pick<SlidesRenderRequest, 'title' | 'slides'>,
  pictures: number,
): { field: 'title' | 'slides'; says: string } | undefined {
  const long = tooLong(title, limits.titleCharacters)
  if (long) return { field: 'title', says: `has ${long}.` }
  if (slides.length === 0 || slides.length > limits.slides)
    return { field: 'slides', says: `there are ${slides.length}; 1 to ${limits.slides} can be made.` }
  for (const [k, slide] of slides.entries()) {
    const says = problemOfSlide(slide, pictures)
    if (says !== undefined) return { field: 'slides', says: `slide ${k + 1} (${slide.layout}): ${says}` }
  }
  return undefined
}

/** Returns the message for the first problem of one slide; undefined when the slide is valid. */
export function problemOfSlide(slide: Slide, pictures: number): string | undefined {
  if (!layouts.includes(slide.layout)) return `the layout is none of ${layouts.join(', ')}.`
  return memberProblem(slide) ?? textProblem(slide) ?? partProblem(slide) ?? pictureProblem(slide, pictures)
}

function memberProblem(slide: Slide): string | undefined {
  for (const [layout, member] of Object.entries(memberOf)) {
    const isThere = slide[member] !== undefined
    if (layout === slide.layout && !isThere) return `${member} is missing.`
    if (layout !== slide.layout && isThere) return `${member} is not shown by this layout.`
  }
  if (slide.subtitle !== undefined && !isCover(slide.layout)) return 'subtitle is not shown by this layout.'
  const takesPoints = isCover(slide.layout) || ['agenda', 'points', 'picture', 'chart'].includes(slide.layout)
  if (slide.points.length > 0 && !takesPoints) return 'points are not shown by this layout.'
  if (slide.points.length === 0 && (slide.layout === 'points' || slide.layout === 'agenda')) return 'points are missing.'
  return undefined
}

function isCover(layout: SlideLayout): layout is 'title' | 'section' | 'closing' {
  return layout === 'title' || layout === 'section' || layout === 'closing'
}

function textProblem({ layout, title, subtitle = '', points, notes = '', source = '', picture = '' }: Slide): string | undefined {
  if (title.trim() === '') return 'title is empty.'
  return (
    longText('title', title, limits.titleCharacters) ??
    longText('subtitle', subtitle, limits.titleCharacters) ??
    longText('notes', notes, limits.notesCharacters) ??
    longText('source', source, limits.sourceCharacters) ??
    longText('picture', picture, limits.titleCharacters) ??
    (isCover(layout) && points.length > limits.coverPoints ? `points has ${points.length}; at most ${limits.coverPoints}.` : undefined) ??
    pointsProblem('points', points, isCover(layout) || layout === 'agenda' ? limits.shortPointCharacters : limits.pointCharacters)
  )
}

function pointsProblem(name: string, points: readonly string[], most: number = limits.pointCharacters): string | undefined {
  if (points.length > limits.points) return `${name} has ${points.length}; at most ${limits.points}.`
  return firstOf(points, (point, k) => longText(`${name}[${k}]`, point, most))
}

function partProblem({ columns, quote, figures, chart, table, steps }: Slide): string | undefined {
  if (columns) {
    if (columns.length < 2 || columns.length > limits.columns) return `columns has ${columns.length}; 2 to ${limits.columns} can be shown.`
    return firstOf(
      columns,
      ({ title, points }, k) =>
        longText(`columns[${k}].title`, title, limits.columnTitleCharacters) ?? pointsProblem(`columns[${k}].points`, points),
    )
  }
  if (quote)
    return longText('quote.text', quote.text, limits.quoteCharacters) ?? longText('quote.by', quote.by ?? '', limits.labelCharacters)
  if (figures) return figuresProblem(figures)
  if (chart) return chartProblem(chart)
  if (table) return tableProblem(table)
  return steps && stepsProblem(steps)
}

function figuresProblem(figures: NonNullable<Slide['figures']>): string | undefined {
  if (figures.length === 0 || figures.length > limits.figures) return `figures has ${figures.length}; 1 to ${limits.figures} can be shown.`
  return firstOf(
    figures,
    ({ label, value }, k) => longText(`figures[${k}].label`, label, limits.labelCharacters) ?? longText(`figures[${k}].value`, value, 24),
  )
}

function chartProblem({ kind, labels, series, unit = '' }: NonNullable<Slide['chart']>): string | undefined {
  if (!['bar', 'line', 'pie'].includes(kind)) return 'chart.kind is none of bar, line, pie.'
  if (labels.length === 0 || labels.length > limits.labels) return `chart.labels has ${labels.length}; 1 to ${limits.labels} can be shown.`
  if (series.length === 0 || series.length > limits.series) return `chart.series has ${series.length}; 1 to ${limits.series} can be shown.`
  if (kind === 'pie' && (series[0]?.values ?? []).some(value => value < 0)) return 'chart.series[0].values: a pie has no part below 0.'
  if (kind === 'pie' && (series[0]?.values ?? []).every(value => value === 0)) return 'chart.series[0].values: a pie needs a part above 0.'
  return (
    longText('chart.unit', unit, 12) ??
    firstOf(labels, (label, k) => longText(`chart.labels[${k}]`, label, 60)) ??
    firstOf(series, ({ name, values }, k) => {
      if (values.length !== labels.length) return `chart.series[${k}].values has ${values.length}; there are ${labels.length} labels.`
      if (!values.every(value => Math.abs(value) <= limits.chartValue))
        return `chart.series[${k}].values: each must be a number from -${limits.chartValue} to ${limits.chartValue}.`
      return longText(`chart.series[${k}].name`, name, 60)
    })
  )
}

function tableProblem({ head, rows }: NonNullable<Slide['table']>): string | undefined {
  if (head.length === 0 || head.length > limits.tableColumns)
    return `table.head has ${head.length}; 1 to ${limits.tableColumns} columns can be shown.`
  if (rows.length > limits.tableRows) return `table.rows has ${rows.length}; at most ${limits.tableRows}.`
  return firstOf([head, ...rows], (row, k) => {
    const name = k === 0 ? 'table.head' : `table.rows[${k - 1}]`
    if (row.length !== head.length) return `${name} has ${row.length} cells; the head has ${head.length}.`
    return firstOf(row, (cell, c) => longText(`${name}[${c}]`, cell, limits.cellCharacters))
  })
}

function stepsProblem(steps: NonNullable<Slide['steps']>): string | undefined {
  if (steps.length === 0 || steps.length > limits.steps) return `steps has ${steps.length}; 1 to ${limits.steps} can be shown.`
  return firstOf(
    steps,
    ({ label, title, text = '' }, k) =>
      longText(`steps[${k}].label`, label, 24) ??
      longText(`steps[${k}].title`, title, limits.labelCharacters) ??
      longText(`steps[${k}].text`, text, limits.stepTextCharacters),
  )
}

function pictureProblem({ pictureInput }: Slide, pictures: number): string | undefined {
  if (pictureInput === undefined || (Number.isInteger(pictureInput) && pictureInput >= 0 && pictureInput < pictures)) return undefined
  return `pictureInput is ${pictureInput}; ${pictures === 0 ? 'no picture was' : `${pictures} were`} given.`
}

function longText(name: string, text: string, most: number): string | undefined {
  const long = tooLong(text, most)
  return long && `${name} has ${long}.`
}

function tooLong(text: string, most: number): string | undefined {
  const { length } = [...text]
  return length > most ? `${length} characters; at most ${most}` : undefined
}

function firstOf<Value>(values: readonly Value[], problem: (value: Value, k: number) => string | undefined): string | undefined {
  for (const [k, value] of values.entries()) {
    const found = problem(value, k)
    if (found !== undefined) return found
  }
  return undefined
}

/** The outputs that slides can be rendered as. */
export const renderable: readonly SlidesOutput[] = ['deck', 'document', 'page']
