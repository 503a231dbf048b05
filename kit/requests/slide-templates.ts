/** Types of the request for the presentation templates of a service, and of the facts about a
 *  template. */
import type { JsonObject } from '../json.ts'
import type { SlidesTemplate } from './slides.ts'

/** Words that select templates, in upper or lower case; all templates when absent. */
type TemplateFilter = { category?: string; style?: string; colour?: string; scene?: string }

export type TemplateQuery = TemplateFilter & {
  /** Page number, from 1. */
  page: number
  pageSize: number
}

/** A template of a service. Only `id`, `name` and `cover` are always present. */
export type TemplateEntry = Pick<SlidesTemplate, 'id' | 'name'> &
  Partial<Pick<SlidesTemplate, 'title' | 'category' | 'style' | 'colour' | 'scenes'>> & {
    /** An http or https URL that needs no credential. */
    cover: string
  }

/** One page of templates; `total` is the number on all pages. */
export type TemplatePage = { total: number; list: TemplateEntry[] }

export type TemplateListRequest = {
  query: TemplateQuery
  /** The target's model. */
  model: string
  settings: JsonObject
  signal: AbortSignal
}

/** Returns true when the template matches the filter. */
export function isWanted({ category, style, colour, scenes = [] }: Omit<TemplateEntry, 'cover'>, wanted: TemplateFilter): boolean {
  const isNamed = (requested: string | undefined, ...words: (string | undefined)[]): boolean =>
    requested === undefined || words.some(word => word?.toLowerCase() === requested.toLowerCase())
  return (
    isNamed(wanted.category, category) &&
    isNamed(wanted.style, style) &&
    isNamed(wanted.colour, colour?.name, colour?.hex) &&
    isNamed(wanted.scene, ...scenes)
  )
}
