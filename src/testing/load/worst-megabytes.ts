/** Generates bodies of about a megabyte that are hard to process. They are derived from the
 *  declarations: each field of each operation is filled with text that is hard to parse, with a
 *  long list, or with an object of many members. */
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { FieldPath } from '../../contract/file-fields.ts'
import type { Operation } from '../../contract/operation.ts'
import { trySchema } from '../../contract/samples/samples.ts'

export interface WorstBody {
  title: string
  /** The body as JSON. */
  body: string
}

/** Texts that are repeated until a field is full: opening brackets and quotes without an end,
 *  ends without an opening, letters and digits, and words with a special meaning in prompts. */
export const fillers = [
  ' ',
  'a',
  '\n',
  '(',
  '<',
  '[',
  '{',
  '"',
  '\\',
  '-',
  '--ar ',
  '--no a ',
  '```',
  '0',
  'a, ',
  '(voice:a)',
  '<<<image_1>>>',
  '[verse]\n',
  'http://a/',
  '红和',
  '&lt;',
  '\u200d',
  '😀',
  '# a\n',
  '%41',
] as const

const megabyte = 1_000_000

export function filled(filler: string, bytes = megabyte): string {
  return filler.repeat(Math.ceil(bytes / Buffer.byteLength(JSON.stringify(filler).slice(1, -1))))
}

/** Yields bodies in which one field at a time is hard to process. A text is filled with one of the
 *  fillers, a list gets many items, an object many members. `fillersOf` returns the fillers for the
 *  field with this index. `seen` contains the fields that were already tested and are skipped, by
 *  the last two names in the path and the type of the value. */
export function* worstBodies(
  operation: Operation,
  { fillersOf, seen = new Set() }: { fillersOf: (index: number) => readonly string[]; seen?: Set<string> },
): Generator<WorstBody> {
  const [example] = operation.examples
  const { samples } = trySchema(operation, example?.body)
  for (const { body, field, verdict } of samples) {
    const steps = stepsOf(field)
    const value = valueAt(body, steps)
    const name = steps.filter(step => typeof step === 'string').slice(-2)
    const key = `${name.length > 0 ? name.join('.') : operation.operationId} ${Array.isArray(value) ? 'list' : typeof value}`
    if (verdict !== 'accept' || value === undefined || seen.has(key)) continue
    seen.add(key)
    // The long values are put into the text of the body. Objects with as many members would take
    // far longer to make than the gateway takes to read them.
    const put = (title: string, json: string): WorstBody => ({
      title: `${field || 'the body'} ${title}`,
      body: JSON.stringify(withValue(body, steps, placeholder)).replace(JSON.stringify(placeholder), () => json),
    })
    if (typeof value === 'string')
      for (const filler of fillersOf(seen.size)) yield put(`of ${JSON.stringify(filler)}`, JSON.stringify(filled(filler)))
    if (Array.isArray(value)) yield put('as a long list', longList(JSON.stringify(value[0] ?? '')))
    if (isObject(value)) yield put('with many members', withManyMembers(value))
  }
}

const placeholder = 'the value to try'

function longList(item: string): string {
  const length = Math.min(200_000, Math.ceil(megabyte / `[${item}]`.length))
  return `[${`${item},`.repeat(length - 1)}${item}]`
}

/** Members for an object, and objects with as many that one of its members holds: no object of a
 *  body may have more than 10,000 members. */
const manyMembers = Array.from({ length: 9_900 }, (_, index) => `"k${index}":${index}`).join(',')
const wideObjects = `"wide":[${Array.from({ length: 6 }, () => `{${manyMembers}}`).join(',')}]`

function withManyMembers(value: JsonObject): string {
  const own = JSON.stringify(value).slice(1, -1)
  return `{${own}${own && ','}${manyMembers},${wideObjects}}`
}

function stepsOf(field: string): (string | number)[] {
  return [...field.matchAll(/[^.[\]]+/g)].map(([step], index) => (index > 0 && /^\d+$/.test(step) ? Number(step) : step))
}

/** Returns the value at a path; undefined when there is none. */
export function valueAt(value: Json | undefined, [step, ...rest]: FieldPath): Json | undefined {
  if (step === undefined) return value
  if (Array.isArray(value)) return valueAt(value[Number(step)], rest)
  return isObject(value) ? valueAt(value[step], rest) : undefined
}

/** Returns a copy of the value with another value at a path. */
export function withValue(value: Json | undefined, [step, ...rest]: FieldPath, other: Json): Json {
  if (step === undefined) return other
  if (Array.isArray(value)) return value.map((item, index) => (index === Number(step) ? withValue(item, rest, other) : item))
  return isObject(value) ? { ...value, [step]: withValue(value[step], rest, other) } : other
}
