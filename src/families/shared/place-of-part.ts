import { isObject } from '@generation-gateway/kit/json.ts'

/** Returns the path, such as `messages[0].content[1]`, of the first part whose `type` is `word`;
 *  undefined when there is none. `name` is the name of the list in the body. `members` are the
 *  members of a list item that may contain parts. */
export function placeOfPart(
  list: unknown,
  word: string,
  { name, members }: { name: string; members: readonly string[] },
): string | undefined {
  if (!Array.isArray(list)) return undefined
  for (const [index, item] of list.entries())
    for (const member of members) {
      const parts: unknown = isObject(item) ? item[member] : undefined
      const at = Array.isArray(parts) ? parts.findIndex(part => isObject(part) && part.type === word) : -1
      if (at >= 0) return `${name}[${index}].${member}[${at}]`
    }
  return undefined
}
