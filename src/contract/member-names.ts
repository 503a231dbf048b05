import type { TSchema } from 'typebox'

/** Returns every member name that the schema knows, at any depth, and `further` ones: these
 *  names affect decisions, so none of them may appear in another case. */
export function memberNamesOf(schema: TSchema, further: readonly string[] = []): ReadonlySet<string> {
  const names = new Set(further)
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) for (const member of node) collect(member)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === 'properties') for (const name of Object.keys(Object(value))) names.add(name)
      if (typeof value === 'object') collect(value)
    }
  }
  collect(schema)
  return names
}
