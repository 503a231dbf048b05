/** Returns the reasons of a safety review in the interface's words, each with the support code of
 *  its category (docs/interface/videos.md#v). */

/** Categories of reasons. Each has one support code; where the interface lists several codes for
 *  a category, one of them is used. */
const categories: readonly (readonly [word: RegExp, name: string, code: number])[] = [
  [/child|minor/i, 'Children', 58_061_214],
  [/celebrit|public figure|likeness/i, 'Celebrities', 29_310_472],
  [/hate/i, 'Hateful', 57_734_940],
  [/personal|privacy/i, 'Personal information', 92_201_652],
  [/sexual|explicit|nud/i, 'Explicit content', 90_789_179],
  [/violen|gore/i, 'Violence', 61_493_863],
  [/profan|vulgar/i, 'Vulgar', 32_635_315],
  [/danger|illegal|weapon|self harm/i, 'Dangerous content', 62_263_041],
  [/harass|harm/i, 'Harmful content', 78_610_348],
  [/prohibit/i, 'Prohibited content', 89_371_032],
]
const other = ['Other safety issues', 74_803_281] as const

/** Returns a sentence about a reason. A reason that already contains support codes of an upstream
 *  is returned unchanged. */
export function reasonText(reason: string): string {
  if (/support codes?/i.test(reason)) return reason
  const [, name, code] = categories.find(([word]) => word.test(reason)) ?? [undefined, ...other]
  const said = reason === '' || reason === name ? name : `${reason} (${name})`
  return `A video was kept back by the safety review: ${said}. Support codes: ${code}`
}
