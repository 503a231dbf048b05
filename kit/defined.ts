/** Returns a copy of the object without the members that are undefined. Callers spread it into
 *  another object whose members are optional: `{ name, ...defined({ strict, description }) }`. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  // The cast is needed because `fromEntries` does not know that only undefined members were
  // removed.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>
}

export type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }
