/** The members of an object that are not undefined, for optional members of another object:
 *  `{ name, ...defined({ strict, description }) }`. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  // Undefined members are the only ones that go, which is what the type says.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>
}

export type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }
