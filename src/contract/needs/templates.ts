import type { TemplateEntry, TemplateQuery } from '@generation-gateway/kit/requests/slide-templates.ts'

/** A template as lists show it. For a template of an engine, `cover` has the id of the engine
 *  instead of the path of a picture, because the family serves such pictures itself
 *  (`Templates.coverOf`). */
export type ListedTemplate = Omit<TemplateEntry, 'cover' | 'name'> & { cover: string | { engine: string } }

/** Templates that the chosen model supports for presentations. */
export interface Templates {
  /** Returns one page of the matching templates, and the total number of matches. The templates are
   *  those of the first usable target that has any. Throws `capability_unavailable`, and the errors
   *  of that target. */
  list(query: TemplateQuery): Promise<{ total: number; list: ListedTemplate[] }>
  /** Finds the template whose id has these decimal digits, at the target that `list` reads.
   *  Returns the target's own name for the template; undefined when the target has no such
   *  template. */
  nameOf(id: string): string | undefined
  /** Returns the path of the PNG that shows a template of an engine, by the decimal digits of its
   *  id; undefined when there is none. Works in operations that choose no model, too. */
  coverOf(engine: string, id: string): string | undefined
}
