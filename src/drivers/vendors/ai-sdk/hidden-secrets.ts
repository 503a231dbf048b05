/** Hides secrets in data that is stored with a task: links and operations that a package returns
 *  may contain the key that the package was given. */
import type { Json } from '@generation-gateway/kit/json.ts'

/** Returns a copy of the value in which a placeholder replaces each secret. */
export function hidden<Value extends Json>(value: Value, secrets: readonly string[]): Value {
  return replaced(value, text => secrets.reduce((reported, secret, index) => reported.replaceAll(secret, placeholderOf(index)), text))
}

/** Returns a copy of the value in which the secrets replace their placeholders. `secrets` must
 *  be the list that `hidden` got. */
export function shown<Value extends Json>(value: Value, secrets: readonly string[]): Value {
  return replaced(value, text =>
    secrets.reduceRight((reported, secret, index) => reported.replaceAll(placeholderOf(index), () => secret), text),
  )
}

/** Returns the placeholder for a secret. It contains control characters, so it does not occur in
 *  the data of a service. */
function placeholderOf(index: number): string {
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
