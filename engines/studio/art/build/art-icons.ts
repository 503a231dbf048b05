import sharp from 'sharp'
import type { PackedIcon } from '../pack.ts'
import type { IconFacts, IconLook } from './art-facts.ts'
import type { ReadSource } from './art-sources.ts'

interface IconSet {
  icons: Record<string, { body: string; width?: number; height?: number }>
  aliases?: Record<string, { parent: string }>
  width?: number
  height?: number
}

interface CutIcon {
  icon: PackedIcon
  svg: string
}

/** Returns the drawings that the tables name, first all Noto drawings and then the Fluent ones, in
 *  the order of the tables. Each drawing has its measured bounding box and colours. Throws
 *  `RangeError` when an icon is missing in its set. */
export async function cutIcons(facts: readonly IconFacts[], read: ReadSource): Promise<CutIcon[]> {
  const noto: IconSet = JSON.parse(read('@iconify-json/noto', 'icons.json'))
  const cut: CutIcon[] = []
  for (const fact of facts) cut.push(await cutIcon(`noto:${fact.icon}`, svgOf(noto, fact.icon), fact, fact.look))
  const fluent: IconSet = JSON.parse(read('@iconify-json/fluent-emoji', 'icons.json'))
  for (const fact of facts) {
    if (fact.fluent) cut.push(await cutIcon(`fluent:${fact.icon}`, svgOf(fluent, fact.icon), fact, fact.fluent))
  }
  return cut
}

function svgOf(set: IconSet, name: string): string {
  const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? '']
  if (!icon) throw new RangeError(`the tables of art facts name ${name}, which the icon set does not have`)
  const width = icon.width ?? set.width ?? 16
  const height = icon.height ?? set.height ?? 16
  // A few drawings are one unit wider or higher than a square. The view box of these drawings is
  // enlarged to a square, because `ArtCatalogue.svg` promises square drawings.
  const side = Math.max(width, height)
  const link = icon.body.includes('xlink:') ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : ''
  return `<svg xmlns="http://www.w3.org/2000/svg"${link} viewBox="${(width - side) / 2} ${(height - side) / 2} ${side} ${side}">${icon.body}</svg>`
}

async function cutIcon(key: PackedIcon['key'], svg: string, facts: IconFacts, preview: IconLook): Promise<CutIcon> {
  const { ink, colours } = await measure(svg, key)
  const icon: PackedIcon = {
    key,
    noun: facts.noun,
    nounZh: facts.wordsZh[0] ?? '',
    category: facts.category,
    height: facts.heightMetres,
    ink,
    habitat: facts.habitat,
    facing: preview.facing,
    colours,
    svg: [0, 0],
  }
  if (preview.isHead) icon.head = true
  if (preview.baked) icon.baked = preview.baked
  return { icon, svg }
}

const pixelSide = 256
/** Least alpha (0 to 255) of a visible pixel; fainter ones are glow or anti-aliasing. */
const inkAlpha = 24

async function measure(svg: string, key: string): Promise<Pick<PackedIcon, 'ink' | 'colours'>> {
  const pixels = await sharp(Buffer.from(svg.replace('<svg ', `<svg width="${pixelSide}" height="${pixelSide}" `)))
    .ensureAlpha()
    .raw()
    .toBuffer()
  let [left, top, right, bottom] = [pixelSide, pixelSide, -1, -1]
  for (let y = 0; y < pixelSide; y++) {
    for (let x = 0; x < pixelSide; x++) {
      if ((pixels[(y * pixelSide + x) * 4 + 3] ?? 0) < inkAlpha) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  if (right < 0) throw new RangeError(`${key} paints nothing`)
  const fraction = (value: number) => Math.round((value / pixelSide) * 1000) / 1000
  return { ink: [fraction(left), fraction(top), fraction(right + 1 - left), fraction(bottom + 1 - top)], colours: mainColours(pixels) }
}

/** Returns up to four main colours, largest area first. Colours that agree in the top 3 bits of
 *  each channel form a group, and the average of the group is returned. Groups of less than 6 % of
 *  the painted area are left out. */
function mainColours(pixels: Buffer): string[] {
  const bins = new Map<number, [number, number, number, number]>()
  let total = 0
  for (let i = 0; i < pixels.length; i += 4) {
    const [r = 0, g = 0, b = 0, a = 0] = pixels.subarray(i, i + 4)
    if (a < 200) continue
    total++
    const bin = ((r >> 5) << 6) | ((g >> 5) << 3) | (b >> 5)
    const sums = bins.get(bin) ?? [0, 0, 0, 0]
    bins.set(bin, [sums[0] + 1, sums[1] + r, sums[2] + g, sums[3] + b])
  }
  return [...bins.values()]
    .filter(([count]) => count >= total * 0.06)
    .sort((a, b) => b[0] - a[0])
    .slice(0, 4)
    .map(
      ([count, r, g, b]) =>
        `#${[r, g, b]
          .map(sum =>
            Math.round(sum / count)
              .toString(16)
              .padStart(2, '0'),
          )
          .join('')}`,
    )
}
