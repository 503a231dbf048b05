import type { TemplateEntry, TemplateQuery } from '@generation-gateway/kit/requests/slide-templates.ts'

/** A template as lists show it, without the path of its cover: the family serves the covers of
 *  engines itself (`Templates.coverOf`). */
export type ListedTemplate = Omit<TemplateEntry, 'cover' | 'name'> & { cover: string | { engine: string } }

/** Templates that the chosen model supports for presentations. */
export interface Templates {
  /** Returns one page of the matching templates, and the number of matches, from the first usable
   *  target that lists templates. Throws `capability_unavailable`, and that target's errors. */
  list(query: TemplateQuery): Promise<{ total: number; list: ListedTemplate[] }>
  /** Finds the template whose id has these decimal digits, at the target that `list` reads.
   *  Returns the target's own name for the template; undefined when the target has no such
   *  template. */
  nameOf(id: string): string | undefined
  /** Returns the path of the PNG that shows a template of an engine, by the decimal digits of its
   *  id; undefined when there is none. Works in operations that choose no model, too. */
  coverOf(engine: string, id: string): string | undefined
}
