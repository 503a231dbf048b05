/** Fonts for covers, the same on every machine. */
import { createRequire } from 'node:module'
import { type FontPart, holds, readFontParts } from '@generation-gateway/kit/font-parts.ts'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'

interface LoadedPart extends FontPart {
  /** Family of this file alone, because a family that was already drawn with accepts no further
   *  files. */
  family: string
  isLoaded: boolean
}

let parts: LoadedPart[] | undefined

/** Loads the parts of the font that have the letters of the text (the font is cut into a hundred
 *  files), and returns the families for a canvas font. */
export function familiesFor(text: string): string {
  parts ??= readParts()
  const codes = [...new Set(text)].map(letter => letter.codePointAt(0) ?? 0)
  // The first part that has a letter is used: Latin stands before the Chinese parts, some of which
  // have Latin signs too.
  const needed = new Set(codes.flatMap(code => parts?.find(({ ranges }) => holds(ranges, code)) ?? []))
  for (const part of needed) {
    if (!part.isLoaded) GlobalFonts.registerFromPath(part.file, part.family)
    part.isLoaded = true
  }
  return [...[...needed].map(({ family }) => `"${family}"`), 'sans-serif'].join(', ')
}

function readParts(): LoadedPart[] {
  const table = createRequire(import.meta.url).resolve('@fontsource-variable/noto-sans-sc/unicode.json')
  return readFontParts(table, 'noto-sans-sc')
    .map(part => ({ ...part, family: `composer ${part.name}`, isLoaded: false }))
    .sort((one, other) => placeOf(one) - placeOf(other))
}

/** Returns the rank of a part. Parts with a name are for alphabets; those with a number claim to
 *  have such letters, too, and do not. */
function placeOf({ name }: FontPart): number {
  return name === 'latin' ? 0 : /\d/.test(name) ? 2 : 1
}

const probe = 40
/** A sign that no font has. */
const nowhere = '\u{10fffe}'
/** Letters that do not decompose into a letter and a sign. */
const plainer: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Ħ: 'H', ħ: 'h', ı: 'i' }

/** Returns the text without characters that no font here has, which would be drawn as boxes; a
 *  letter with an unknown sign loses the sign. */
export function drawable(text: string): string {
  const context = createCanvas(probe, probe).getContext('2d')
  context.textBaseline = 'middle'
  const pixelsOf = (letter: string, families: string) => {
    context.clearRect(0, 0, probe, probe)
    context.font = `400 24px ${families}`
    context.fillText(letter, 4, probe / 2)
    return Buffer.from(context.getImageData(0, 0, probe, probe).data)
  }
  const isThere = (letter: string) => {
    const families = familiesFor(letter)
    return /\s/.test(letter) || !pixelsOf(letter, families).equals(pixelsOf(nowhere, families))
  }
  const shown = (letter: string) => {
    const bare = plainer[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
    return [letter, bare].find(each => each !== '' && isThere(each)) ?? ''
  }
  const letters = [...text.normalize('NFC').replace(/\p{Cf}|\p{Variation_Selector}/gu, '')]
  return letters.map(shown).join('').replace(/\s+/g, ' ').trim()
}
