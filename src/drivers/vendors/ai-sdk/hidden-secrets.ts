/** Hides secrets in data that is stored with a task: links and operations of a package may contain
 *  the key that it was given. */
import type { Json } from '@generation-gateway/kit/json.ts'

/** Returns the value with each secret replaced by a mark. */
export function hidden<Value extends Json>(value: Value, secrets: readonly string[]): Value {
  return replaced(value, text => secrets.reduce((reported, secret, index) => reported.replaceAll(secret, markOf(index)), text))
}

/** Returns the original value with its secrets in place of the marks; `secrets` must come from the
 *  same settings. */
export function shown<Value extends Json>(value: Value, secrets: readonly string[]): Value {
  return replaced(value, text => secrets.reduceRight((reported, secret, index) => reported.replaceAll(markOf(index), () => secret), text))
}

/** Returns a text that no service writes, as the mark for a secret. */
function markOf(index: number): string {
  return `\u0001secret ${index}\u0001`
}

function replaced<Value extends Json>(value: Value, change: (text: string) => string): Value {
  const walk = (json: Json | undefined): Json | undefined => {
    if (typeof json === 'string') return change(json)
    if (Array.isArray(json)) return json.map(each => walk(each) ?? null)
    return typeof json === 'object' && json !== null
      ? Object.fromEntries(Object.entries(json).map(([name, each]) => [change(name), walk(each)]))
      : json
  }
  // The cast is safe: the result has the same type as the value.
  return walk(value) as Value
}
