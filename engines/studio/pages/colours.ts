/** Chooses the colours of a page from the pictures on it. */
import type { Rgb } from '../drawing.ts'
import { findPalette } from '../style/palette.ts'
import type { Raster } from '../style/pixels.ts'

export interface PageColours {
  /** Background colour of the page. */
  ground: string
  /** Colour of texts and of the thin lines around pictures. */
  ink: string
  isDark: boolean
}

/** Brightness (luma, 0 to 255) of the background and of the ink on a light and on a dark page.
 *  `chroma` is the strength of the background's colour (0 is grey). */
const light = { luma: 234, chroma: 13, ink: 52 }
const dark = { luma: 38, chroma: 12, ink: 232 }
/** Pages whose pictures have a mean luma below this get a dark background. */
const darkBelow = 84

/** Returns the colours of a page. The background has a slight tint of the pictures' main hue. It is
 *  dark for dark pictures and light for others; an odd `choice` reverses this. */
export function pageColours(pictures: readonly Raster[], choice = 0): PageColours {
  const colours = pictures.flatMap(picture => findPalette(picture, 5))
  const mean = colours.reduce((sum, colour) => sum + lumaOf(colour), 0) / Math.max(1, colours.length)
  const isDark = mean < darkBelow !== (choice % 2 === 1)
  const { luma, chroma, ink } = isDark ? dark : light
  const { blue, red } = leaning(colours)
  return { ground: tint(luma, { blue, red }, chroma), ink: tint(ink, { blue, red }, chroma * 0.8), isDark }
}

interface ColourBias {
  blue: number
  red: number
}

/** Returns the mean colour of the strongest hue among the colours, as blue and red differences (0
 *  is grey). Colours count more the more saturated they are. */
function leaning(colours: readonly Rgb[]): ColourBias {
  const hues = Array.from({ length: 12 }, () => ({ blue: 0, red: 0, weight: 0 }))
  for (const colour of colours) {
    const luma = lumaOf(colour)
    const [blue, red] = [(colour.b - luma) / 1.772, (colour.r - luma) / 1.402]
    const weight = Math.hypot(blue, red)
    const hue = hues[Math.min(11, Math.floor(((Math.atan2(blue, red) + Math.PI) / (2 * Math.PI)) * 12))]
    if (!hue) continue
    hue.blue += blue * weight
    hue.red += red * weight
    hue.weight += weight
  }
  const [most] = hues.toSorted((a, b) => b.weight - a.weight)
  return most && most.weight > 0 ? { blue: most.blue / most.weight, red: most.red / most.weight } : { blue: 0, red: 0 }
}

function tint(luma: number, { blue, red }: ColourBias, chroma: number): string {
  const length = Math.hypot(blue, red)
  const share = length > chroma ? chroma / length : 1
  const [b, r] = [blue * share, red * share]
  const parts = [luma + r * 1.402, luma - b * 0.344 - r * 0.714, luma + b * 1.772]
  return `#${parts
    .map(part =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function lumaOf({ r, g, b }: Rgb): number {
  return r * 0.299 + g * 0.587 + b * 0.114
}
