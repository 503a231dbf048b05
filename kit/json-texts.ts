import type { Json } from './json.ts'

/** Returns the value with every string that is a key of `texts` replaced by its text: texts that
 *  were read apart from the JSON are put back in place of their placeholders. */
export function withTexts(node: Json, texts: ReadonlyMap<string, string>): Json {
  if (typeof node === 'string') return texts.get(node) ?? node
  if (Array.isArray(node)) return node.map(item => withTexts(item, texts))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, item === undefined ? item : withTexts(item, texts)]))
}
