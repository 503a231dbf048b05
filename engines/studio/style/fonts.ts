import { createRequire } from 'node:module'
import { type FontPart, holds, readFontParts } from '@generation-gateway/kit/font-parts.ts'
import { GlobalFonts } from '@napi-rs/canvas'

interface Subset extends FontPart {
  /** Name under which the font is registered. */
  family: string
  isRegistered: boolean
}

const prefix = 'noto-sans-sc'
let subsets: Subset[] | undefined

/** Loads the files of the engine's own font that a text needs. Returns the font family to set on a
 *  canvas, and the characters that the font lacks (a system font draws those). The font is Noto
 *  Sans SC (OFL-1.1) with variable weight 100 to 900. The font has Latin, Cyrillic, Vietnamese and
 *  Chinese letters, split over many files: an English text needs one of the files, a Chinese
 *  sentence several. Throws when the font package is not installed or a file of it cannot be
 *  read. */
export function prepareFont(text: string): { family: string; missing: string[] } {
  subsets ??= readSubsets()
  const needed = new Set<Subset>()
  const missing: string[] = []
  for (const character of new Set(text)) {
    const code = character.codePointAt(0) ?? 0
    if (code <= 32) continue
    const subset = subsets.find(({ ranges }) => holds(ranges, code))
    if (subset) needed.add(subset)
    else missing.push(character)
  }
  for (const subset of needed) register(subset)
  // Each file is registered under a family name of its own. Skia ignores files that are added to a
  // family after the family has been used for drawing.
  const families = subsets.filter(subset => needed.has(subset)).map(({ family }) => `"${family}"`)
  return { family: [...families, 'sans-serif'].join(', '), missing }
}

function register(subset: Subset): void {
  if (subset.isRegistered) return
  if (!GlobalFonts.registerFromPath(subset.file, subset.family)) throw new Error(`The font file ${subset.file} could not be read.`)
  subset.isRegistered = true
}

function readSubsets(): Subset[] {
  const table = createRequire(import.meta.url).resolve(`@fontsource-variable/${prefix}/unicode.json`)
  const found = readFontParts(table, prefix).map(part => ({ ...part, family: `Studio Sans ${part.name}`, isRegistered: false }))
  // The Latin files come first. Many Chinese files also contain single Latin characters, which
  // would otherwise be used.
  return found.sort((a, b) => Number(b.file.includes('-latin-')) - Number(a.file.includes('-latin-')))
}
