import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'

/** Returns the path, such as `messages[0].content[1]`, of the first part that `isPart` accepts;
 *  undefined when there is none. `name` is the name of the list in the body. `members` are the
 *  members of a list item, or of a part, that may contain parts. */
export function placeOfPart(
  list: unknown,
  isPart: (part: JsonObject) => boolean,
  { name, members }: { name: string; members: readonly string[] },
): string | undefined {
  if (!Array.isArray(list)) return undefined
  for (const [index, item] of list.entries())
    for (const member of members) {
      const parts: unknown = isObject(item) ? item[member] : undefined
      if (!Array.isArray(parts)) continue
      const path = `${name}[${index}].${member}`
      const at = parts.findIndex(part => isObject(part) && isPart(part))
      const place = at >= 0 ? `${path}[${at}]` : placeOfPart(parts, isPart, { name: path, members })
      if (place !== undefined) return place
    }
  return undefined
}
