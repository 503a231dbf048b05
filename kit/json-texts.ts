import type { Json } from './json.ts'

/** Returns a copy of the value in which every string that is a key of `texts` is replaced by its
 *  text. Long texts are read separately from the JSON, which contains a placeholder for each of
 *  them. */
export function withTexts(node: Json, texts: ReadonlyMap<string, string>): Json {
  if (typeof node === 'string') return texts.get(node) ?? node
  if (Array.isArray(node)) return node.map(item => withTexts(item, texts))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, item === undefined ? item : withTexts(item, texts)]))
}
