/** The neutral requests and results of the capabilities for presentations: `slides.write` and `slides.render`. */
import { capability } from './capability.ts'

export type Slide = {
  layout: 'title' | 'section' | 'points' | 'columns' | 'quote' | 'figures' | 'picture' | 'closing'
  title: string
  points: string[]
  /** What is said beside it. */
  notes?: string
  /** What its picture shows. */
  picture?: string
  figures?: { label: string; value: string }[]
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

export type SlidesWriteResult = { title: string; language: string; slides: Slide[] }

/** Makes the files of written slides. Outputs: `deck`, `document`. */
export type SlidesRenderRequest = SlidesWriteResult & {
  hops?: number
  /** The target's own name of a template. */
  template: string
}

export type SlidesRenderResult = { slides: number }

export const slidesWrite = capability<SlidesWriteRequest, SlidesWriteResult>({
  failover: 'paid',
  expectedUnits: ({ slides = 12 }) => [{ unit: 'slides', units: slides }],
})

export const slidesRender = capability<SlidesRenderRequest, SlidesRenderResult>({
  failover: 'paid',
  expectedUnits: ({ slides }) => [{ unit: 'slides', units: slides.length }],
})
