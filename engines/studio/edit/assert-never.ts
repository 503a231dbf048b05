/** Call it in a branch that the types say is never reached. It throws when data from outside does
 *  not match the types and reaches the branch. */
export function assertNever(value: never): never {
  throw new Error(`Not expected here: ${JSON.stringify(value)}`)
}
