import { isObject } from '@generation-gateway/kit/json.ts'

/** Returns where a list of messages has its first part with this type word, as a path:
 *  `messages[0].content[1]`; undefined when it has none. `name` is the name of the list,
 *  `members` are those of its items that may hold parts. */
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
