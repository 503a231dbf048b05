import type { Pixels } from '../style/pixels.ts'
import type { PlacedSubject } from '../subjects/layout-types.ts'
import type { Finding, PixelFact } from './score.ts'

/** Regions of a picture, as [left, top, width, height] in fractions of its size. */
const regions: Record<PixelFact['region'], [number, number, number, number]> = {
  whole: [0, 0, 1, 1],
  top: [0, 0, 1, 0.3],
  bottom: [0, 0.7, 1, 0.3],
  left: [0, 0, 0.3, 1],
  right: [0.7, 0, 0.3, 1],
  center: [0.3, 0.3, 0.4, 0.4],
}

interface Tone {
  red: number
  green: number
  blue: number
  luma: number
  saturation: number
}

/** Compares the finished picture with facts that a person sees at a glance, such as dark or blue.
 *  The limits are wide, because a style may change tones; only a clear contradiction, such as day
 *  instead of night, fails. */
export function scorePixels(pixels: Pixels, facts: readonly PixelFact[]): Finding[] {
  return facts.flatMap(fact => {
    const tone = toneOf(pixels, regions[fact.region])
    const findings: Finding[] = []
    const add = (isMet: boolean, wanted: string) => findings.push({ category: 'pixels', isMet, wanted: `${fact.region} ${wanted}` })
    if (fact.brightness === 'dark') add(tone.luma < 90, `dark (luma ${tone.luma.toFixed(0)})`)
    if (fact.brightness === 'light') add(tone.luma > 130, `light (luma ${tone.luma.toFixed(0)})`)
    if (fact.saturation === 'low') add(tone.saturation < 0.15, `unsaturated (${tone.saturation.toFixed(2)})`)
    if (fact.saturation === 'high') add(tone.saturation > 0.3, `saturated (${tone.saturation.toFixed(2)})`)
    if (fact.hue === 'warm') add(tone.red > tone.blue + 8, 'warm')
    if (fact.hue === 'blue') add(tone.blue > tone.red + 15, 'blue')
    if (fact.hue === 'green') add(tone.green > tone.red + 8 && tone.green > tone.blue + 8, 'green')
    if (fact.dominant !== undefined) add(distance(tone, fact.dominant) < 110, `close to ${fact.dominant}`)
    return findings
  })
}

/** True when a placed subject can be seen: at least half of its box is inside the picture, and the
 *  box is large enough to recognise the subject. */
export function isVisible({ box }: PlacedSubject): boolean {
  const width = Math.min(1, box.x + box.width) - Math.max(0, box.x)
  const height = Math.min(1, box.y + box.height) - Math.max(0, box.y)
  return width > 0 && height > 0 && width * height >= box.width * box.height * 0.5 && Math.max(width, height) >= 0.025
}

function toneOf({ data, width, height }: Pixels, [left, top, wide, high]: [number, number, number, number]): Tone {
  const sum = { red: 0, green: 0, blue: 0, saturation: 0 }
  let count = 0
  for (let y = Math.floor(top * height); y < Math.floor((top + high) * height); y++) {
    for (let x = Math.floor(left * width); x < Math.floor((left + wide) * width); x++) {
      const at = (y * width + x) * 4
      const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]]
      sum.red += red
      sum.green += green
      sum.blue += blue
      sum.saturation += (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255
      count += 1
    }
  }
  const [red, green, blue] = [sum.red / count, sum.green / count, sum.blue / count]
  return { red, green, blue, luma: 0.2126 * red + 0.7152 * green + 0.0722 * blue, saturation: sum.saturation / count }
}

function distance(tone: Tone, hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16)
  return Math.hypot(tone.red - (value >> 16), tone.green - ((value >> 8) & 255), tone.blue - (value & 255))
}
