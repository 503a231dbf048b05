import type { Operation } from '../contract/operation.ts'

/** Returns the path and the query of an operation with the values of one of its examples: at the
 *  endpoint `default`, and with `x` for a parameter of the path that the example does not have. */
export function exampleUrl({ path, examples, when }: Operation, example = examples[0]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'endpoint' ? 'default' : (example?.path?.[name] ?? 'x')))
  const query = new URLSearchParams({ ...when?.query, ...example?.query })
  return query.size === 0 ? filled : `${filled}?${query}`
}
