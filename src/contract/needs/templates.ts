import type { FoundTemplate, TemplateQuery } from '@generation-gateway/kit/requests/slide-templates.ts'

/** A template as lists show it. The family serves the covers of engines (`Templates.coverOf`). */
export type ListedTemplate = Omit<FoundTemplate, 'cover' | 'name'> & { cover: string | { engine: string } }

/** Templates that presentations of the chosen model can have. */
export interface Templates {
  /** One page of the templates that match, and how many match in all, from the first usable target
   *  that lists templates. Throws `capability_unavailable`, and what that target threw. */
  list(query: TemplateQuery): Promise<{ total: number; list: ListedTemplate[] }>
  /** What that target calls the template of this id; undefined when it surely has none. */
  nameOf(id: number): string | undefined
  /** Path of the PNG that shows a template of an engine; undefined when there is none. Works in
   *  operations that choose no model, too. */
  coverOf(engine: string, id: number): string | undefined
}
