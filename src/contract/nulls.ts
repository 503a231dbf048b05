/** Handles JSON's null, which typed clients send for every field that they leave out. */
import { isObject } from '@generation-gateway/kit/json.ts'
import type { Keywords } from './keywords.ts'

/** Removes nulls from a value, in place. */
export type NullRemover = (value: unknown) => void

/** Returns the names of the fields in a sent body. A field that is null counts as absent. */
export function presentFields(body: unknown): ReadonlySet<string> {
  const fields = isObject(body) ? body : {}
  return new Set(Object.keys(fields).filter(name => fields[name] !== null))
}

/** Returns a function that removes every member that the schema names and that is null, at any
 *  depth. Afterwards defaults apply, and a required field counts as missing. Nulls in a list stay,
 *  and so do nulls in members that the schema does not name, because such members are the caller's
 *  own data: schemas of tools, metadata and unknown fields. Returns undefined when the schema names
 *  no member. */
export function nullRemover(schema: Keywords): NullRemover | undefined {
  const { properties = {}, items, anyOf = [] } = schema
  const removers = [memberRemover(Object.entries(properties)), items && itemRemover(items), ...anyOf.map(nullRemover)]
  const needed = removers.filter(remove => remove !== undefined)
  if (needed.length <= 1) return needed[0]
  return value => {
    for (const remove of needed) remove(value)
  }
}

function memberRemover(fields: readonly [name: string, schema: Keywords][]): NullRemover | undefined {
  if (fields.length === 0) return undefined
  const members = fields.map(([name, schema]) => ({ name, inside: nullRemover(schema) }))
  const byName = new Map(members.map(member => [member.name, member]))
  const removeFrom = (value: Record<string, unknown>, member: (typeof members)[number]): void => {
    if (value[member.name] === null) delete value[member.name]
    else member.inside?.(value[member.name])
  }
  return value => {
    if (!isObject(value)) return
    // Most bodies have fewer members than the schema names, so the loop looks up each name of the
    // body. A body may also have 100,000 members: then each name of the schema is looked up in the
    // body instead.
    let left = members.length
    for (const name in value) {
      if (left-- === 0) {
        for (const member of members) if (Object.hasOwn(value, member.name)) removeFrom(value, member)
        return
      }
      const member = byName.get(name)
      if (member) removeFrom(value, member)
    }
  }
}

function itemRemover(items: Keywords): NullRemover | undefined {
  const inside = nullRemover(items)
  if (!inside) return undefined
  return value => {
    if (Array.isArray(value)) for (const item of value) inside(item)
  }
}
