/** The neutral requests and results of the capabilities for presentations: `slides.write` and `slides.render`. */
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

/** One slide as it is written: what it says, not how it looks. Members that its layout does not show are refused. */
export type Slide = {
  layout: SlideLayout
  title: string
  /** The line below the title; of `title`, `section` and `closing`. */
  subtitle?: string
  /** Paragraphs or bullets. `Lead: rest` sets the lead off where it is short. */
  points: string[]
  /** What is said beside it. */
  notes?: string
  /** Where it comes from; shown in small print. */
  source?: string
  /** What its picture shows. */
  picture?: string
  /** Which input of the role `picture` it shows, from 0. Without one the engine draws an ornament. */
  pictureInput?: number
  /** Of `figures`: numbers set large. */
  figures?: { label: string; value: string }[]
  /** Of `columns`: two or three. */
  columns?: { title: string; points: string[] }[]
  /** Of `quote`. */
  quote?: { text: string; by?: string }
  /** Of `chart`. */
  chart?: SlideChart
  /** Of `table`: rows as long as the head. */
  table?: { head: string[]; rows: string[][] }
  /** Of `timeline`: steps in their order; `label` is a date, a number, a phase. */
  steps?: { label: string; title: string; text?: string }[]
}

export type SlideChart = {
  /** `bar` has upright columns; `pie` shows the first series alone. */
  kind: 'bar' | 'line' | 'pie'
  labels: string[]
  /** As many values as labels. */
  series: { name: string; values: number[] }[]
  /** Behind the numbers: `%`, `km`. */
  unit?: string
}

/** Makes outline and content. Inputs, by role: `source`, a document it is made from. */
export type SlidesWriteRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  title: string
  /** BCP 47; absent: that of the title. */
  language?: string
  /** About how many. */
  slides?: number
}

export type SlidesWriteResult = {
  title: string
  language: string
  slides: Slide[]
  /** What a reader should know of how it was written: which facts are whose, and what was left out. */
  comment?: string
  /** Where a service keeps them that renders only what it has written: which one it is, and its own id. */
  origin?: { service: string; id: string }
}

/** What is made of the slides: `deck` the PPTX, `document` the PDF, `page` a PNG of each page. */
export type SlidesOutput = 'deck' | 'document' | 'page'

/** Makes the files of written slides. Inputs, by role: `picture`, in the order that `pictureInput` counts. Outputs by role: `SlidesOutput`. */
export type SlidesRenderRequest = Pick<SlidesWriteResult, 'title' | 'language' | 'slides' | 'origin'> & {
  hops?: number
  /** The target's own name of a template. */
  template: string
  /** Absent: `deck` and `document`. */
  outputs?: SlidesOutput[]
}

export type SlidesRenderResult = {
  /** Pages of the deck: a slide that is too long for one page has several. */
  slides: number
  /** Outputs that could not be made, and why; and what else a reader should know. */
  comment?: string
}

/** A template of an engine as a list of templates shows it. */
export type SlidesTemplate = {
  /** Stable, positive. */
  id: number
  /** What a request gives as `template`. */
  name: string
  title: string
  /** `business`, `education`, ... */
  category: string
  style: string
  /** Its leading colour, in a word and as #rrggbb. */
  colour: { name: string; hex: string }
  /** What it is made for. */
  scenes: readonly string[]
  /** Absolute path of a PNG, 480 x 270. */
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
