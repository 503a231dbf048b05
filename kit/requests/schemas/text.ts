/** Schemas of the requests of search and slides. */
import type { SearchKeywordRequest, SearchTopRequest, SearchVerticalRequest } from '../search.ts'
import type { SlidesRenderRequest, SlidesWriteRequest } from '../slides.ts'
import { closed, filledList, language, list, maybe, oneOf, real, schemaOf, text, whole, word } from './fields.ts'

const days = whole(1, 3_650)

export const searchKeywordSchema = schemaOf<SearchKeywordRequest>()({
  keyword: text(1_000),
  platform: maybe(word()),
  days: maybe(days),
  order: maybe(word()),
  page: whole(1, 10_000),
  pageSize: whole(1, 200),
  cursor: maybe(word(4_096)),
})

export const searchVerticalSchema = schemaOf<SearchVerticalRequest>()({ topic: text(1_000), platform: word(), days })
export const searchTopSchema = schemaOf<SearchTopRequest>()({ list: whole(0, 100_000) })

const line = text(10_000)
const lines = list(line, 200)
const origin = maybe(closed({ service: word(500), id: word(1_024) }))

const slide = closed({
  layout: oneOf(
    ...(['title', 'agenda', 'section', 'points', 'columns', 'quote'] as const),
    ...(['figures', 'picture', 'chart', 'table', 'timeline', 'closing'] as const),
  ),
  title: line,
  subtitle: maybe(line),
  points: lines,
  notes: maybe(text()),
  source: maybe(line),
  picture: maybe(line),
  pictureInput: maybe(whole(0, 100)),
  figures: maybe(list(closed({ label: line, value: line }), 50)),
  columns: maybe(list(closed({ title: line, points: lines }), 10)),
  quote: maybe(closed({ text: line, by: maybe(line) })),
  chart: maybe(
    closed({
      kind: oneOf('bar', 'line', 'pie'),
      labels: lines,
      series: list(closed({ name: line, values: list(real(-1e15, 1e15), 500) }), 20),
      unit: maybe(line),
    }),
  ),
  table: maybe(closed({ head: lines, rows: list(lines, 200) })),
  steps: maybe(list(closed({ label: line, title: line, text: maybe(line) }), 50)),
})

export const slidesWriteSchema = schemaOf<SlidesWriteRequest>()({
  title: text(10_000),
  language: maybe(language),
  slides: maybe(whole(1, 200)),
})

export const slidesRenderSchema = schemaOf<SlidesRenderRequest>()({
  title: text(10_000),
  language,
  slides: filledList(slide, 200),
  origin,
  template: word(),
  outputs: maybe(list(oneOf('deck', 'document', 'page'), 3)),
})
