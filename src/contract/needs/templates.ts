import type { TemplateEntry, TemplateQuery } from '@generation-gateway/kit/requests/slide-templates.ts'

/** A template as lists show it. The family serves the covers of engines (`Templates.coverOf`). */
export type ListedTemplate = Omit<TemplateEntry, 'cover' | 'name'> & { cover: string | { engine: string } }

/** Templates that the chosen model supports for presentations. */
export interface Templates {
  /** Returns one page of the matching templates, and the number of matches, from the first usable
   *  target that lists templates. Throws `capability_unavailable`, and that target's errors. */
  list(query: TemplateQuery): Promise<{ total: number; list: ListedTemplate[] }>
  /** Returns that target's name of the template with this id; undefined when it has no such
   *  template. */
  nameOf(id: number): string | undefined
  /** Returns the path of the PNG that shows a template of an engine; undefined when there is none.
   *  Works in operations that choose no model, too. */
  coverOf(engine: string, id: number): string | undefined
}
