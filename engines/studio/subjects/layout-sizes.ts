import type { SizeWord, Subject } from '../scene.ts'
import { boundsHeight, boundsWidth } from './artwork.ts'
import type { Extent, LayoutItem, Node } from './layout-types.ts'

const sizeFactors: Record<SizeWord, number> = { tiny: 0.4, small: 0.7, normal: 1, large: 1.4, huge: 2 }

/** Returns, for each subject, the relative height of 100 units of its drawing; it is 1 for the main
 *  subject. Real sizes are compressed by a power, so that a mouse beside an elephant stays visible;
 *  the larger of two subjects stays the larger one. `ratioOf` returns the aspect ratio (width /
 *  height) of a drawing, because a wide thing such as a keyboard is larger than its height
 *  suggests. */
export function relativeHeights(subjects: readonly Subject[], ratioOf: (subject: Subject) => number): Map<string, number> {
  const foreground = subjects.filter(
    subject => !isPrinted(subject) && !subject.isBackground && !isBody(subject) && !isPlaceLike(subject, subjects),
  )
  const counted = foreground.length > 0 ? foreground : subjects
  const sizeOf = (subject: Subject) => realHeight(subject) * Math.sqrt(ratioOf(subject))
  const sizes = counted.map(sizeOf)
  const spread = Math.max(...sizes) / Math.min(...sizes)
  const exponent = spread > 1 ? Math.min(natural, Math.max(0.15, Math.log(mostSpread(counted)) / Math.log(spread))) : natural
  const hero = findHero(subjects) ?? subjects[0]
  if (!hero) return new Map()
  const relative = (subject: Subject) =>
    (realHeight(subject) / realHeight(hero)) ** natural * (sizeOf(subject) / sizeOf(hero)) ** (exponent - natural)
  return new Map(subjects.map(subject => [subject.id, relative(subject)]))
}

/** Exponent to which real sizes are raised when the subjects do not differ enough to need more
 *  compression. */
const natural = 0.85

/** Returns the largest allowed ratio between the largest and the smallest drawn size. The ratio is
 *  small for two or three subjects side by side, so that all are well visible, and larger for
 *  subjects that are attached to each other and for more than three. */
function mostSpread(subjects: readonly Subject[]): number {
  const isJoined = subjects.some(subject =>
    subject.relations.some(({ kind, of }) => joined.has(kind) && subjects.some(other => other.id === of)),
  )
  if (isJoined || subjects.length > 3) return 6.5
  return subjects.length === 3 ? 4 : 2.3
}

const joined: ReadonlySet<string> = new Set(['on', 'in', 'riding', 'holding', 'wearing', 'carrying', 'around'])

/** True for the moon, the sun, planets, clouds, rainbows and other parts of the sky; false for
 *  rockets, planes and balloons, which only fly in it. */
export function isBody(subject: Subject): boolean {
  return (
    (subject.habitat === 'sky' || subject.habitat === 'space') &&
    (subject.heightMetres > 1000 || /rainbow|cloud|star|moon|sun|comet|fireworks|galaxy|milky|meteor/.test(subject.art))
  )
}

/** Returns the main subject, around which the composition is built: the first subject that is
 *  neither scenery nor a print, is not in the sky, and is not merely the surroundings of a smaller
 *  subject. When no subject meets all conditions, they are dropped one after the other, the last
 *  one first. */
export function findHero(subjects: readonly Subject[]): Subject | undefined {
  const standing = subjects.filter(subject => !subject.isBackground && !isPrinted(subject))
  const figures = standing.filter(subject => subject.habitat !== 'sky')
  return figures.find(subject => !isPlaceLike(subject, subjects)) ?? figures[0] ?? standing[0] ?? subjects[0]
}

/** True for a subject printed on another thing, whose own size is irrelevant. */
function isPrinted({ relations }: Subject): boolean {
  return relations.some(({ kind }) => kind === 'printed-on')
}

/** True for a large tree, building, monument or landform (at least 4.5 m) when the picture also
 *  has a subject of another kind in the foreground that is less than about 40 % as high, by the
 *  heights of `realHeight`. The large one then belongs to the surroundings and is not a main
 *  subject. */
export function isPlaceLike(subject: Subject, subjects: readonly Subject[]): boolean {
  const metres = realHeight(subject)
  if (subject.habitat !== 'ground' || metres < 4.5 || !placeArt.test(subject.art)) return false
  return subjects.some(
    other =>
      !isPrinted(other) &&
      !other.isBackground &&
      /ground|surface/.test(other.habitat) &&
      realHeight(other) * 2.4 < metres &&
      !placeArt.test(other.art),
  )
}

/** True for landforms at the horizon, such as mountains. */
export function isTerrainArt(art: string): boolean {
  return /mountain|volcano|fuji|alps|drawn:hill/.test(art)
}

const placeArt =
  /^tree:|^drawn:(windmill|wind-turbine|skyscraper|barn|cottage|cabin|lighthouse|tower|clock-tower|pagoda|temple|greek-temple|cathedral|treehouse|stilt-house|ruin|pyramid|eiffel-tower|great-wall|empire-state|sydney-opera-house|mount-rushmore|kremlin|taj-mahal|golden-gate|liberty-statue|arc-de-triomphe|space-needle|pisa-tower|colosseum|pearl-tower|christ-redeemer|alamo|step-pyramid|storefront|ferris-wheel|crane|mountain|volcano|hill|waterfall|cliff)|house|castle|church|mosque|building|hospital|school|hotel|store|stadium|factory|tower|temple|shrine|statue-of|ferris/

export function realHeight(subject: Subject): number {
  const metres = Math.max(0.005, subject.heightMetres) * sizeFactors[subject.size]
  // Above 20 metres, the height of a tall tree, further metres count little: otherwise a skyscraper
  // beside a person, or a mountain behind a house, would leave no room for the smaller one.
  return metres <= 20 ? metres : 20 * (metres / 20) ** 0.3
}

export function nodeWidth(node: Node): number {
  return boundsWidth(node.item.bounds) * node.unit
}

export function nodeHeight(node: Node): number {
  return boundsHeight(node.item.bounds) * node.unit
}

/** Returns the horizontal and vertical extent of one copy of a subject (a node). A flipped drawing
 *  is mirrored about the middle of its feet. */
export function nodeExtent(node: Node): Extent {
  const { left, right, top, bottom } = node.item.bounds
  const [a, b] = node.flip ? [-right, -left] : [left, right]
  return { left: node.x + a * node.unit, right: node.x + b * node.unit, top: node.y + top * node.unit, bottom: node.y + bottom * node.unit }
}

export function extentOf(nodes: readonly Node[]): Extent {
  const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const node of nodes) {
    const one = nodeExtent(node)
    extent.left = Math.min(extent.left, one.left)
    extent.top = Math.min(extent.top, one.top)
    extent.right = Math.max(extent.right, one.right)
    extent.bottom = Math.max(extent.bottom, one.bottom)
  }
  return extent
}

/** Returns the height of an item in units, before any scaling. */
export function itemHeight(item: LayoutItem): number {
  return boundsHeight(item.bounds)
}
