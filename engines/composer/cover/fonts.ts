/** Loads the fonts for covers. The font files are part of the engine, so that covers look the same
 *  on every machine. */

import { createRequire } from 'node:module'
import { type FontPart, holds, readFontParts } from '@generation-gateway/kit/font-parts.ts'
import { normalForm } from '@generation-gateway/kit/normal-form.ts'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'

interface LoadedPart extends FontPart {
  /** Family name under which only this file is registered. The canvas library ignores files that
   *  are added to a family after the family has been used. */
  family: string
  isLoaded: boolean
}

let parts: LoadedPart[] | undefined

/** Loads those files of the font that contain the letters of the text; the font is split into about
 *  a hundred files. Returns the family names as text for the `font` property of a canvas. */
export function familiesFor(text: string): string {
  parts ??= readParts()
  const codes = [...new Set(text)].map(letter => letter.codePointAt(0) ?? 0)
  // For each letter, the first file that contains it is used. The Latin file comes first in the
  // list: some Chinese files also contain Latin letters, which would otherwise be used.
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

/** Returns the rank by which font files are sorted. Files named after an alphabet come first. Files
 *  with a number in the name come last, because the font's table wrongly says that these files
 *  contain letters of the alphabets. */
function placeOf({ name }: FontPart): number {
  return name === 'latin' ? 0 : /\d/.test(name) ? 2 : 1
}

const probe = 40
/** A character that no font contains. Other missing characters are drawn exactly like it, as a
 *  box. */
const nowhere = '\u{10fffe}'
/** Letters that Unicode does not decompose into a base letter and an accent. */
const plainer: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Ħ: 'H', ħ: 'h', ı: 'i' }

/** Returns the text without the characters that no loaded font contains, because they would be
 *  drawn as boxes. A letter with an accent that the fonts lack loses the accent. */
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
  const letters = [...normalForm(text, 'NFC').replace(/\p{Cf}|\p{Variation_Selector}/gu, '')]
  return letters.map(shown).join('').replace(/\s+/g, ' ').trim()
}
