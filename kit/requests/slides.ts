/** Neutral requests and results of `slides.write` and `slides.render`. */
import { capability } from './capability.ts'

export type SlideLayout =
  | 'title'
  | 'agenda'
  | 'section'
  | 'points'
  | 'columns'
  | 'quote'
  | 'figures'
  | 'picture'
  | 'chart'
  | 'table'
  | 'timeline'
  | 'closing'

/** The contents of one slide, without its design. Members that its layout does not show are
 *  refused. */
export type Slide = {
  layout: SlideLayout
  title: string
  /** Line below the title; for the layouts `title`, `section` and `closing`. */
  subtitle?: string
  /** Paragraphs or bullets. In a text such as `Lead: rest`, a short part before the colon is
   *  emphasized. */
  points: string[]
  /** Speaker notes. */
  notes?: string
  /** Source of the contents, shown in small print. */
  source?: string
  /** Describes the slide's picture. The text is the picture's alternative text, its caption in
   *  the layout `picture`, and, without `pictureInput`, the prompt from which an image model
   *  draws it. */
  picture?: string
  /** Index of the input with role `picture` that the slide shows, from 0. Without one the engine
   *  draws an ornament. */
  pictureInput?: number
  /** Numbers in large type, for the layout `figures`. */
  figures?: { label: string; value: string }[]
  /** Two or three columns, for the layout `columns`. */
  columns?: { title: string; points: string[] }[]
  /** The quotation, for the layout `quote`. */
  quote?: { text: string; by?: string }
  /** The chart, for the layout `chart`. */
  chart?: SlideChart
  /** The table, for the layout `table`: every row has as many cells as the head. */
  table?: { head: string[]; rows: string[][] }
  /** Steps in order, for the layout `timeline`; `label` is a date, a number or a phase. */
  steps?: { label: string; title: string; text?: string }[]
}

export type SlideChart = {
  /** Kind of the chart: `bar` has upright columns; `pie` shows only the first series. */
  kind: 'bar' | 'line' | 'pie'
  labels: string[]
  /** Series of values; each has one value per label. */
  series: { name: string; values: number[] }[]
  /** Unit printed after the numbers: `%`, `km`. */
  unit?: string
}

/** Writes outline and contents. Input by role: `source`, a document on which the deck is based. */
export type SlidesWriteRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  title: string
  /** Language as BCP 47; that of the title when absent. */
  language?: string
  /** Approximate number of slides. */
  slides?: number
}

export type SlidesWriteResult = {
  title: string
  language: string
  slides: Slide[]
  /** Notes to the reader on how the deck was written: the origin of facts, and omissions. */
  comment?: string
  /** Set when a service can only render decks that it has written itself: the service, and the
   *  id under which it stores the slides. */
  origin?: { service: string; id: string }
}

/** Forms of a rendered deck: `deck` is the PPTX, `document` the PDF, `page` a PNG of each page. */
export type SlidesOutput = 'deck' | 'document' | 'page'

/** Renders written slides as files. Inputs by role: `picture`, in the order of `pictureInput`.
 *  Outputs by role: `SlidesOutput`. */
export type SlidesRenderRequest = Pick<SlidesWriteResult, 'title' | 'language' | 'slides' | 'origin'> & {
  hops?: number
  /** Name of a template, as the target names it. */
  template: string
  /** Requested outputs; `deck` and `document` when absent. */
  outputs?: SlidesOutput[]
}

type SlidesRenderResult = {
  /** Number of pages of the deck; a slide that is too long for one page takes several. */
  slides: number
  /** Outputs that could not be made, and why; also other notes to the reader. */
  comment?: string
}

/** A template of an engine, as listed to callers. */
export type SlidesTemplate = {
  /** Number of the template. It is positive and never changes. */
  id: number
  /** The value of `template` in a request. */
  name: string
  title: string
  /** Category: `business`, `education`, ... */
  category: string
  style: string
  /** Main colour of the template, as a word and as #rrggbb. */
  colour: { name: string; hex: string }
  /** Occasions for which the template is suitable. */
  scenes: readonly string[]
  /** Absolute path of a PNG, 480 x 270 pixels. */
  cover: string
}

export const slidesWrite = capability<SlidesWriteRequest, SlidesWriteResult>({
  failover: 'paid',
  expectedUnits: ({ slides = 12 }) => [{ unit: 'slides', units: slides }],
})

export const slidesRender = capability<SlidesRenderRequest, SlidesRenderResult>({
  failover: 'paid',
  expectedUnits: ({ slides }) => [{ unit: 'slides', units: slides.length }],
})
