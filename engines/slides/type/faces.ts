/** The typefaces of a deck. A PPTX only names fonts; for measuring and drawing, the engine has
 *  open fonts, which have the same widths for Latin text. Characters that such a font lacks are
 *  measured and drawn in Arimo or Noto Sans SC. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holds, readFontParts } from '@generation-gateway/kit/font-parts.ts'
import { GlobalFonts } from '@napi-rs/canvas'

/** The typefaces: `sans` is Arial, `serif` Georgia, `humanist` Calibri, `mono` Courier New.
 *  PowerPoint has these fonts; LibreOffice replaces them with fonts of the same widths. */
export type Face = 'sans' | 'serif' | 'humanist' | 'mono'
export type Weight = 400 | 700

/** Font names for a PPTX. */
export const namedFonts: Readonly<Record<Face, string>> = { sans: 'Arial', serif: 'Georgia', humanist: 'Calibri', mono: 'Courier New' }
/** Font name for Chinese, Japanese and Korean in a PPTX. The characters of these languages are as
 *  wide as they are high, in this font and in any font that replaces it. */
export const namedEastAsianFont = 'Microsoft YaHei'

interface FontFile {
  family: string
  file: string
  ranges: readonly (readonly [number, number])[]
}

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'fonts')
const prefix = 'noto-sans-sc'
/** Unicode ranges of the font files, for each script. The publishers of the fonts divided the
 *  characters into files in this way. */
const cuts = {
  latin: [
    [0x20, 0xff],
    [0x131, 0x131],
    [0x152, 0x153],
    [0x2bb, 0x2bc],
    [0x2c6, 0x2c6],
    [0x2da, 0x2da],
    [0x2dc, 0x2dc],
    [0x2000, 0x206f],
    [0x20ac, 0x20ac],
    [0x2122, 0x2122],
    [0x2212, 0x2212],
  ],
  'latin-ext': [
    [0x100, 0x2ba],
    [0x1e00, 0x1e9f],
    [0x20a0, 0x20c0],
  ],
  vietnamese: [[0x1ea0, 0x1ef9]],
  greek: [[0x370, 0x3ff]],
  cyrillic: [
    [0x400, 0x45f],
    [0x490, 0x491],
    [0x2116, 0x2116],
  ],
} as const satisfies Record<string, readonly (readonly [number, number])[]>

type Cut = keyof typeof cuts
const chains: Readonly<Record<Face, readonly (readonly [string, readonly Cut[]])[]>> = {
  sans: [['arimo', ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic']]],
  serif: [
    ['gelasio', ['latin', 'latin-ext']],
    ['arimo', ['vietnamese', 'greek', 'cyrillic']],
  ],
  humanist: [
    ['carlito', ['latin']],
    ['arimo', ['latin-ext', 'vietnamese', 'greek', 'cyrillic']],
  ],
  mono: [
    ['cousine', ['latin']],
    ['arimo', ['latin-ext', 'vietnamese', 'greek', 'cyrillic']],
  ],
}

const registered = new Map<string, string>()
const fontOf = new Map<string, FontFile | undefined>()
let noto: FontFile[] | undefined

/** Returns the font family that draws a character in a typeface; undefined when none of the
 *  engine's fonts has the character. Registers the family on first use. */
export function familyOf(character: string, face: Face, weight: Weight): string | undefined {
  const key = `${face} ${weight} ${character}`
  if (!fontOf.has(key)) fontOf.set(key, findFont(character, face, weight))
  const font = fontOf.get(key)
  return font && register(font)
}

/** Returns the font family for italic quotations (Gelasio Italic). */
export function italicFamily(): string {
  return register({ family: 'Slides gelasio italic', file: join(folder, 'gelasio-latin-400-italic.woff2'), ranges: [] })
}

/** Returns the characters of a text that none of the engine's fonts has, each once. */
export function missingCharacters(text: string): string[] {
  return [...new Set(text)].filter(character => (character.codePointAt(0) ?? 0) > 32 && familyOf(character, 'sans', 400) === undefined)
}

/** True for Chinese and Japanese characters. A line may break before and after such a character. */
export function isIdeographic(character: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef\u2e80-\u2fdf]/u.test(character)
}

function findFont(character: string, face: Face, weight: Weight): FontFile | undefined {
  const code = character.codePointAt(0) ?? 0
  for (const [name, files] of chains[face])
    for (const cut of files)
      if (holds(cuts[cut], code))
        return { family: `Slides ${name} ${cut} ${weight}`, file: join(folder, `${name}-${cut}-${weight}-normal.woff2`), ranges: [] }
  noto ??= readNoto()
  return noto.find(({ ranges }) => holds(ranges, code))
}

function register({ family, file }: FontFile): string {
  const known = registered.get(family)
  if (known !== undefined) return known
  if (!GlobalFonts.registerFromPath(file, family)) throw new Error(`The font file ${file} could not be read.`)
  registered.set(family, family)
  return family
}

/** Returns the font files of Noto Sans SC, each with its Unicode ranges. The files are variable
 *  fonts, so one file serves all weights, and the weight is set when drawing. */
function readNoto(): FontFile[] {
  const table = createRequire(import.meta.url).resolve(`@fontsource-variable/${prefix}/unicode.json`)
  return readFontParts(table, prefix).map(({ name, file, ranges }) => ({ family: `Slides noto ${name}`, file, ranges }))
}
