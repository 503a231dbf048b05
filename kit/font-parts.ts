/** Reads fonts that are split into many files (parts) by ranges of characters, as Fontsource
 *  publishes large fonts. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from './json.ts'

export interface FontPart {
  /** Name of the part: `latin`, `101`, ... */
  name: string
  /** Path of the WOFF2 file of this part; the file contains all weights. */
  file: string
  /** First and last code point of each range, both included. */
  ranges: [number, number][]
}

/** Returns the parts of a variable font, in the order of the table. `table` is the path of the
 *  font's `unicode.json`; `font` is the prefix of its file names (`noto-sans-sc`). Throws the
 *  errors of reading and parsing the table, and an Error for a table that is not a JSON object. */
export function readFontParts(table: string, font: string): FontPart[] {
  const parsed: unknown = JSON.parse(readFileSync(table, 'utf8'))
  if (!isObject(parsed)) throw new Error(`${table} does not hold a table of character ranges.`)
  return Object.entries(parsed).map(([key, ranges]) => {
    const name = key.replace(/[[\]]/g, '')
    const file = join(dirname(table), 'files', `${font}-${name}-wght-normal.woff2`)
    return { name, file, ranges: String(ranges).split(',').map(parseRange) }
  })
}

/** Returns true when one of the ranges contains the code point. */
export function holds(ranges: readonly (readonly [number, number])[], code: number): boolean {
  return ranges.some(([low, high]) => code >= low && code <= high)
}

/** Parses a range of code points: `U+4e00-4e2f` or `U+3002`. */
function parseRange(text: string): [number, number] {
  const [low = '0', high = low] = text.trim().replace(/^U\+/i, '').split('-')
  return [Number.parseInt(low, 16), Number.parseInt(high, 16)]
}
