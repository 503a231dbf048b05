/** Builds the prompt that requests a deck as JSON from a text model, and parses the model's answer.
 *  The request itself is sent by `deck-by-model.ts`. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { Slide, SlideLayout, SlidesWriteRequest, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import { cleanLine, cut } from './layouts/words.ts'
import { layouts, limits, problemOfSlide } from './limits.ts'
import { languageOfText } from './writer/language-of.ts'

interface SlidesPrompt {
  system: string
  user: string
  /** JSON Schema of the requested answer, for models that support structured output. */
  schema: JsonObject
}

const usualSlides = 12
/** Largest number of characters of a document that are put into the prompt. */
const mostSource = 40_000

/** Largest number of characters of a search record that are put into the prompt. */
const mostFound = 600

/** Returns the prompt for a deck about a title, in the requested language or else the language of
 *  the title. `source` is the text of the document to base it on, cut at 40,000 characters; `found`
 *  are search records about the title. */
export function slidesPrompt(
  { title, language = languageOfText(title), slides = usualSlides }: SlidesWriteRequest,
  { source, found = [] }: { source?: string; found?: readonly SearchRecord[] } = {},
): SlidesPrompt {
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ?? language
  const system = [
    'You write presentations. Answer with one JSON object and nothing else: {"title": string, "slides": [slide, ...]}.',
    'A slide is {"layout", "title", "notes", ...} with the members of its layout:',
    '- "title" and "closing": "subtitle". "section": "subtitle". "agenda": "points", the parts of the talk.',
    '- "points": "points", two to six; "Lead: one sentence" makes cards of them.',
    '- "columns": "columns", two or three of {"title", "points"}.',
    '- "quote": "quote" {"text", "by"}: only words that were really said or written, with who said them.',
    '- "figures": "figures", one to four of {"value", "label"}; values are short, such as "42 %".',
    '- "chart": "chart" {"kind": "bar"|"line"|"pie", "labels", "series": [{"name", "values"}], "unit"}, and "points" beside it.',
    '- "table": "table" {"head", "rows"}, at most five columns and eight rows of short cells.',
    '- "timeline": "steps", three to five of {"label", "title", "text"}.',
    '- "picture": "picture", what a photograph should show, and two to four "points".',
    'Never make up a number, a date, a quotation or a source. Use "figures" and "chart" only for numbers that you are given or are sure of, and name where they come from in "source".',
    'A title is a statement of at most ten words. A point is at most twenty words. "notes" are what the speaker says: two to four sentences.',
    'Vary the layouts. Begin with "title", then "agenda"; end with "closing".',
  ].join('\n')
  const given =
    source === undefined
      ? ''
      : `\nMake it from this document alone, between the marks:\n<document>\n${source.slice(0, mostSource)}\n</document>`
  const hint =
    found.length === 0
      ? ''
      : `\nA search has found this; use what fits, and name where it is from in "source":\n${found.map(hintOf).join('\n')}`
  return {
    system,
    user: `Write a presentation of about ${slides} slides in ${name} on: ${title}${given}${hint}`,
    schema: answerSchema(slides),
  }
}

function hintOf({ title, text, url, publishedAt }: SearchRecord): string {
  const day = publishedAt === undefined ? '' : `, ${new Date(publishedAt).toISOString().slice(0, 10)}`
  return `- ${title} (${url}${day}): ${text.replace(/\s+/gu, ' ').slice(0, mostFound)}`
}

/** Parses the deck in a model's answer; text around the JSON and a code fence are ignored. An
 *  invalid slide is converted to a valid one when it has enough text; otherwise it is dropped, and
 *  the comment says how many were dropped. Throws `upstream_error` for an answer without JSON or
 *  without any valid slide. */
export function readSlides(answer: string, request: SlidesWriteRequest): SlidesWriteResult {
  const found = jsonIn(answer)
  const list = isObject(found) ? found.slides : found
  if (!Array.isArray(list)) throw new GatewayError('upstream_error', 'The text model did not answer with slides.')
  const read = list.slice(0, limits.slides).map(readSlide)
  const slides = read.filter(slide => slide !== undefined)
  if (slides.length === 0) throw new GatewayError('upstream_error', 'The text model answered with no slide that can be shown.')
  const title = (isObject(found) && textOf(found.title, limits.titleCharacters)) || request.title
  const lost = list.length - slides.length
  const full: Slide[] = slides[0]?.layout === 'title' ? slides : [{ layout: 'title', title, points: [] }, ...slides]
  return {
    title,
    language: request.language ?? languageOfText(`${request.title} ${slides.map(slide => slide.title).join(' ')}`),
    slides: full,
    comment: `Written by a text model; its facts were not checked.${lost > 0 ? ` ${lost} of its ${list.length} slides could not be shown.` : ''}`,
  }
}

/** Returns the JSON object between the first `{` and the last `}` of a text; if that is not valid
 *  JSON, the array between the first `[` and the last `]`. */
function jsonIn(answer: string): Json | undefined {
  const text = answer.replace(/<think>[\s\S]*?<\/think>/g, '')
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const from = text.indexOf(open)
    const to = text.lastIndexOf(close)
    if (from < 0 || to <= from) continue
    try {
      // `JSON.parse` returns only values of type Json.
      return JSON.parse(text.slice(from, to + 1)) as Json
    } catch {
      // The brackets do not enclose JSON, so the other kind of bracket is tried.
    }
  }
  return undefined
}

function readSlide(value: Json): Slide | undefined {
  if (!isObject(value)) return undefined
  const title = textOf(value.title, limits.titleCharacters) ?? ''
  const points = textsOf(value.points, limits.pointCharacters).slice(0, limits.points)
  const common = {
    title,
    points,
    ...member('notes', textOf(value.notes, limits.notesCharacters)),
    ...member('source', textOf(value.source, limits.sourceCharacters)),
  }
  const requested = layoutNames[String(value.layout ?? '').toLowerCase()]
  const slide = requested && marked(ofLayout(requested, common, value))
  if (slide && problemOfSlide(slide, 0) === undefined) return slide
  const plain: Slide = { ...common, layout: 'points', points: points.length > 0 ? points : allTexts(value) }
  return problemOfSlide(plain, 0) === undefined ? plain : undefined
}

/** Returns the slide with a source line which says that its numbers come from the model. A slide
 *  with a source, or without numbers, is unchanged. */
function marked(slide: Slide): Slide {
  if (slide.source !== undefined || (slide.layout !== 'chart' && slide.layout !== 'figures')) return slide
  return {
    ...slide,
    source: /\p{sc=Han}/u.test(slide.title) ? '语言模型给出的示例数字，未经核实' : 'example numbers of the text model, not checked',
  }
}

/** Maps layout names that models use to the names of the engine's layouts. */
const layoutNames: Readonly<Record<string, SlideLayout>> = {
  ...{
    title: 'title',
    cover: 'title',
    agenda: 'agenda',
    outline: 'agenda',
    section: 'section',
    points: 'points',
    bullets: 'points',
    content: 'points',
  },
  ...{
    columns: 'columns',
    two_columns: 'columns',
    comparison: 'columns',
    quote: 'quote',
    figures: 'figures',
    numbers: 'figures',
    picture: 'picture',
    image: 'picture',
  },
  ...{
    chart: 'chart',
    table: 'table',
    timeline: 'timeline',
    steps: 'timeline',
    process: 'timeline',
    closing: 'closing',
    end: 'closing',
    conclusion: 'closing',
  },
}

type Common = Pick<Slide, 'title' | 'points' | 'notes' | 'source'>

/** Returns a slide of the layout with those members of the model's answer that are present. The
 *  caller checks with `problemOfSlide` whether they are enough. */
function ofLayout(layout: SlideLayout, common: Common, value: JsonObject): Slide {
  const bare = { ...common, layout, points: [] }
  switch (layout) {
    case 'title':
    case 'section':
    case 'closing': {
      const short = common.points.filter(point => point.length <= limits.shortPointCharacters).slice(0, limits.coverPoints)
      return { ...common, layout, points: short, ...member('subtitle', textOf(value.subtitle, limits.titleCharacters)) }
    }
    case 'agenda':
      return { ...common, layout, points: common.points.map(point => cut(point, limits.shortPointCharacters)) }
    case 'points':
      return { ...common, layout }
    case 'picture':
      return { ...common, layout, ...member('picture', textOf(value.picture, limits.titleCharacters)) }
    case 'columns':
      return {
        ...bare,
        columns: objectsOf(value.columns).map(column => ({
          title: textOf(column.title, limits.columnTitleCharacters) ?? '',
          points: textsOf(column.points, limits.pointCharacters),
        })),
      }
    case 'quote': {
      const quote = isObject(value.quote) ? value.quote : { text: value.quote, by: value.by }
      return {
        ...bare,
        quote: {
          text: textOf(quote.text, limits.quoteCharacters) ?? common.points.join(' '),
          ...member('by', textOf(quote.by, limits.labelCharacters)),
        },
      }
    }
    case 'figures':
      return {
        ...bare,
        figures: objectsOf(value.figures).map(({ label, value: figure }) => ({
          label: textOf(label, limits.labelCharacters) ?? '',
          value: textOf(figure, 24) ?? '',
        })),
      }
    case 'table': {
      const table = isObject(value.table) ? value.table : {}
      const rows = Array.isArray(table.rows) ? table.rows.map(row => textsOf(row, limits.cellCharacters)) : []
      return { ...bare, table: { head: textsOf(table.head, limits.cellCharacters), rows } }
    }
    case 'timeline':
      return {
        ...bare,
        steps: objectsOf(value.steps).map((step, k) => ({
          label: textOf(step.label, 24) ?? String(k + 1),
          title: textOf(step.title, limits.labelCharacters) ?? '',
          ...member('text', textOf(step.text, limits.stepTextCharacters)),
        })),
      }
    case 'chart':
      return chartOf(common, isObject(value.chart) ? value.chart : {})
  }
}

function chartOf(common: Common, chart: JsonObject): Slide {
  const kind = chart.kind === 'line' || chart.kind === 'pie' ? chart.kind : 'bar'
  const series = objectsOf(chart.series).map(({ name, values }) => ({
    name: textOf(name, 60) ?? '',
    values: Array.isArray(values) ? values.map(each => (typeof each === 'number' ? each : Number.NaN)) : [],
  }))
  return {
    ...common,
    layout: 'chart',
    chart: { kind, labels: textsOf(chart.labels, 60), series, ...member('unit', textOf(chart.unit, 12)) },
  }
}

function member<Key extends string>(key: Key, text: string | undefined): { [K in Key]?: string } {
  // TypeScript cannot express that the object has exactly the key `key`.
  return (text === undefined ? {} : { [key]: text }) as { [K in Key]?: string }
}

function textOf(value: Json | undefined, most: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? cleanLine(value) : ''
  return text === '' ? undefined : cut(text, most)
}

function textsOf(value: Json | undefined, most: number): string[] {
  return Array.isArray(value) ? value.map(each => textOf(each, most) ?? '').filter((text, _k, all) => text !== '' || all.length > 1) : []
}

/** Returns the first twelve texts of a slide except title, notes and source; used to convert a
 *  slide that does not fit its layout. */
function allTexts({ title: _title, notes: _notes, layout: _layout, source: _source, ...rest }: JsonObject): string[] {
  const texts = (value: Json | undefined): string[] =>
    typeof value === 'string'
      ? [cleanLine(value)]
      : Array.isArray(value)
        ? value.flatMap(texts)
        : isObject(value)
          ? Object.values(value).flatMap(texts)
          : []
  return texts(rest)
    .filter(text => text !== '')
    .slice(0, 12)
    .map(text => cut(text, limits.pointCharacters))
}

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const object = (properties: JsonObject, required: string[]) => ({ type: 'object', properties, required })
const answerSchema = (slides: number): JsonObject =>
  object(
    {
      title: text,
      slides: {
        type: 'array',
        minItems: Math.max(3, slides - 2),
        maxItems: slides + 4,
        items: object(
          {
            layout: {
              type: 'string',
              enum: [...layouts],
            },
            title: text,
            subtitle: text,
            points: texts,
            notes: text,
            source: text,
            picture: text,
            columns: { type: 'array', items: object({ title: text, points: texts }, ['title', 'points']) },
            quote: object({ text, by: text }, ['text']),
            figures: { type: 'array', items: object({ label: text, value: text }, ['label', 'value']) },
            chart: object(
              {
                kind: { type: 'string', enum: ['bar', 'line', 'pie'] },
                labels: texts,
                series: {
                  type: 'array',
                  items: object({ name: text, values: { type: 'array', items: { type: 'number' } } }, ['name', 'values']),
                },
                unit: text,
              },
              ['kind', 'labels', 'series'],
            ),
            table: object({ head: texts, rows: { type: 'array', items: texts } }, ['head', 'rows']),
            steps: { type: 'array', items: object({ label: text, title: text, text }, ['label', 'title']) },
          },
          ['layout', 'title'],
        ),
      },
    },
    ['title', 'slides'],
  )
