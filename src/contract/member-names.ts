import type { TSchema } from 'typebox'

/** Returns every member name in the schema, at any depth, and the `further` names. Members with
 *  these names influence decisions of the gateway, so it refuses a body that spells one of the
 *  names with a different capitalization. */
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
