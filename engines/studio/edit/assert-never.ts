/** Called in a branch that the types exclude; throws when external data reaches it anyway. */
export function assertNever(value: never): never {
  throw new Error(`Not expected here: ${JSON.stringify(value)}`)
}
