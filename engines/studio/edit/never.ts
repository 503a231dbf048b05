/** Marks a branch that the types rule out. Throws when data from outside reaches it all the same. */
export function assertNever(value: never): never {
  throw new Error(`Not expected here: ${JSON.stringify(value)}`)
}
