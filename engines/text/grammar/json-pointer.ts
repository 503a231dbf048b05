import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { isSchemaObject } from './schema-merge.ts'

/** Returns the value at a JSON pointer in the form of a URL fragment (`#/$defs/a~1b`, `#/anyOf/0`);
 *  undefined when there is none. */
export function valueAt(root: JsonObject, reference: string): unknown {
  let at: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const key = memberName(part)
    if (key === undefined) return undefined
    if (Array.isArray(at)) at = /^(0|[1-9][0-9]{0,8})$/.test(key) ? at[Number(key)] : undefined
    else at = isSchemaObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}

/** Decodes one part of a pointer; undefined for invalid URL encoding. */
function memberName(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
