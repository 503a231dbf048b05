/** Records what a function draws on canvases. The record is a text of the method calls and their
 *  arguments, which is the same on every machine; pixels differ between processors. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, Path2D } from '@napi-rs/canvas'

const context = createCanvas(1, 1).getContext('2d')
const drawn: readonly object[] = [context, context.createLinearGradient(0, 0, 1, 1), Path2D.prototype].map((each, index) =>
  index < 2 ? Object.getPrototypeOf(each) : each,
)
/** Methods that only read from the canvas; calls to them are not recorded. */
const reads: ReadonlySet<string> = new Set(['getImageData', 'measureText', 'isPointInPath', 'isPointInStroke', 'getContextAttributes'])

/** Number of characters of a record that are hashed together. */
const hashedChars = 65_536

/** Runs `draw`. Returns its result and a digest (12 hexadecimal digits) of all canvas methods that
 *  it calls and all canvas properties that it sets. */
export function recordDrawing<Result>(draw: () => Result): { result: Result; digest: string } {
  const hash = createHash('sha256')
  // A picture has up to a million calls; hashing each by itself takes longer than drawing some.
  let lines = ''
  const record = (line: string): void => {
    lines += line
    if (lines.length < hashedChars) return
    hash.update(lines)
    lines = ''
  }
  const undo = drawn.map(prototype => recordCalls(prototype, record))
  try {
    const result = draw()
    return { result, digest: hash.update(lines).digest('hex').slice(0, 12) }
  } finally {
    for (const each of undo) each()
  }
}

/** Replaces every method and setter of the prototype by one that first reports the call. Returns a
 *  function that restores the originals. */
function recordCalls(prototype: object, report: (line: string) => void): () => void {
  const originals = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(
    ([name, { configurable }]) => configurable === true && name !== 'constructor' && !reads.has(name),
  )
  for (const [name, descriptor] of originals) {
    const { value, set } = descriptor
    if (typeof value === 'function')
      Object.defineProperty(prototype, name, {
        ...descriptor,
        value(...given: unknown[]) {
          let line = `${name}(`
          for (let at = 0; at < given.length; at++) line += at === 0 ? worded(given[at]) : `,${worded(given[at])}`
          report(`${line})\n`)
          return value.apply(this, given)
        },
      })
    else if (set)
      Object.defineProperty(prototype, name, {
        ...descriptor,
        set(given: unknown) {
          report(`${name}=${worded(given)}\n`)
          set.call(this, given)
        },
      })
  }
  return () => {
    for (const [name, descriptor] of originals) Object.defineProperty(prototype, name, descriptor)
  }
}

/** Returns an argument as text. Numbers are rounded to three decimals, because the last digits of a
 *  sine differ between versions of the runtime. */
function worded(value: unknown): string {
  if (typeof value === 'number') return value.toFixed(3)
  if (typeof value === 'object' && value !== null) return value.constructor.name
  return String(value)
}

/** Compares the digests with those in the file `fileName` beside this module, one `name digest` per
 *  line. Throws an `AssertionError` that lists the drawings that differ. After an intended change
 *  of a drawing, check how it looks, run the test with `RECORD_DRAWINGS=1`, and commit the new
 *  lines. */
export function assertRecorded(fileName: string, digests: ReadonlyMap<string, string>): void {
  const path = join(import.meta.dirname, fileName)
  const lines = [...digests].map(([name, digest]) => `${name} ${digest}`).sort()
  if (process.env.RECORD_DRAWINGS === '1') writeFileSync(path, `${lines.join('\n')}\n`)
  const recorded = new Set(readFileSync(path, 'utf8').trim().split('\n'))
  const changed = lines.filter(line => !recorded.has(line)).map(line => line.split(' ')[0])
  assert.deepEqual(changed, [], `these drawings are not those of ${fileName}`)
}
