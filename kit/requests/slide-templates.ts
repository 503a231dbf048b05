/** Templates of presentations: what is asked of a target that has many, and what it tells of each. */
import type { JsonObject } from '../json.ts'
import type { SlidesTemplate } from './slides.ts'

/** Words that templates are found by, in either case; absent: all of them. */
type TemplateFilter = { category?: string; style?: string; colour?: string; scene?: string }

export type TemplateQuery = TemplateFilter & {
  /** From 1. */
  page: number
  pageSize: number
}

/** A template of a service: more than these is not always told. */
export type FoundTemplate = Pick<SlidesTemplate, 'id' | 'name'> &
  Partial<Pick<SlidesTemplate, 'title' | 'category' | 'style' | 'colour' | 'scenes'>> & {
    /** An http or https URL that needs no key. */
    cover: string
  }

/** `total` counts those of all pages. */
export type TemplatePage = { total: number; list: FoundTemplate[] }

export type AskedTemplates = {
  query: TemplateQuery
  /** Of the target. */
  model: string
  settings: JsonObject
  signal: AbortSignal
}

/** Whether the template is one that is looked for. */
export function isWanted({ category, style, colour, scenes = [] }: Omit<FoundTemplate, 'cover'>, wanted: TemplateFilter): boolean {
  const isNamed = (asked: string | undefined, ...words: (string | undefined)[]): boolean =>
    asked === undefined || words.some(word => word?.toLowerCase() === asked.toLowerCase())
  return (
    isNamed(wanted.category, category) &&
    isNamed(wanted.style, style) &&
    isNamed(wanted.colour, colour?.name, colour?.hex) &&
    isNamed(wanted.scene, ...scenes)
  )
}
