import { indoors } from '../language/indoors.ts'
import type { BodyPart, RelationKind, Scene, Subject } from '../scene.ts'
import { boundsWidth } from './artwork.ts'
import { attach } from './attach.ts'
import { type Link, overlapOf } from './attach-near.ts'
import { formation } from './formation.ts'
import { heaped, isHeap } from './heaps.ts'
import { isBody, isPlaceLike, itemHeight, nodeExtent, realHeight, relativeHeights } from './layout-sizes.ts'
import type { Block, Lane, LayoutInput, LayoutItem, Node } from './layout-types.ts'

/** Groups the copies of each subject, and joins related subjects to blocks; the layout then places
 *  each block as a whole. All lengths are relative: 100 units of the main subject have length 1. */
export function buildBlocks(input: LayoutInput): Block[] {
  const { subjects } = input.scene
  const heights = relativeHeights(subjects, subject => ratioOf(input, subject))
  const links = findLinks(subjects)
  const children = new Map<string, Link[]>()
  for (const link of links.values()) children.set(link.host, [...(children.get(link.host) ?? []), link])
  const grow = (subject: Subject): Node[] => {
    const nodes = copies(input, subject, heights.get(subject.id) ?? 1)
    for (const link of children.get(subject.id) ?? []) {
      const child = subjects.find(one => one.id === link.child)
      if (child) attach({ nodes, host: subject, link, group: grow(child), child, random: input.random.fork(`attach-${child.id}`) })
    }
    return nodes
  }
  return subjects
    .filter(subject => !links.has(subject.id))
    .map(subject => ({
      root: subject,
      nodes: grow(subject),
      lane: carriesFlier(subject, subjects)
        ? 'air'
        : isEntered(subject, children.get(subject.id) ?? [])
          ? 'ground'
          : laneOf(subject, input),
      isBackground: isScenery(subject, subjects, children.has(subject.id)),
    }))
}

function ratioOf({ items }: LayoutInput, subject: Subject): number {
  const item = items.find(one => one.subject.id === subject.id)
  return item ? boundsWidth(item.bounds) / itemHeight(item) : 1
}

function laneOf(subject: Subject, input: LayoutInput): Lane {
  const floats = input.environment.floor === 'void'
  switch (subject.habitat) {
    case 'water-surface':
      return input.environment.water ? 'water' : 'ground'
    case 'underwater':
      return input.scene.setting.kind === 'underwater' ? 'underwater' : input.environment.water ? 'water' : 'ground'
    case 'ground':
    case 'surface':
      if (subject.art === 'tree:branch') return 'air'
      return floats ? 'air' : input.environment.floor === 'water' && input.environment.water ? 'water' : 'ground'
    case 'space':
      return subject.heightMetres > 1000 && input.scene.subjects.length > 1 ? 'sky' : 'air'
    case 'sky':
      return isBody(subject) ? 'sky' : 'air'
    case 'wall':
      // In a place without walls, a clock or a painting stands on the ground.
      return floats ? 'air' : hasWall(subject, input.scene) ? 'wall' : 'ground'
    default:
      return subject.habitat
  }
}

function hasWall(subject: Subject, scene: Scene): boolean {
  if (scene.setting.kind === 'wall') return true
  return indoors.has(scene.setting.kind) || subject.relations.some(relation => relation.kind === 'on' || relation.kind === 'above')
}

/** True for a door, a window or a mirror in front of which something stands. The door, window or
 *  mirror then stands on the ground as well, instead of hanging on the wall of the background. */
function isEntered({ habitat, art }: Subject, links: readonly Link[]): boolean {
  return (
    habitat === 'wall' &&
    /door|gate|window|board|mirror/.test(art) &&
    links.some(({ kind }) => kind === 'facing' || kind === 'beside' || kind === 'in-front-of')
  )
}

/** True for a broom, a carpet or another thing on which somebody flies, so that the thing itself is
 *  in the air. */
function carriesFlier(subject: Subject, subjects: readonly Subject[]): boolean {
  return subjects.some(
    other =>
      other.pose === 'flying' &&
      other.relations.some(relation => relation.of === subject.id && (relation.kind === 'on' || relation.kind === 'riding')),
  )
}

function isScenery(subject: Subject, subjects: readonly Subject[], hasGuests: boolean): boolean {
  if (subject.place?.depth === 'far') return true
  if (isTerrain(subjects, subject.id) && subjects.some(other => !isTerrain(subjects, other.id))) return true
  if (isPlaceLike(subject, subjects) && !hasGuests) return true
  return subject.isBackground && subjects.some(other => !other.isBackground)
}

function copies(input: LayoutInput, subject: Subject, relative: number): Node[] {
  const items = input.items.filter(item => item.subject.id === subject.id)
  const first = items[0]
  if (!first) return []
  const unit = relative / 100
  const width = Math.max(...items.map(item => boundsWidth(item.bounds))) * unit
  const height = Math.max(...items.map(itemHeight)) * unit
  const slots = formation({
    isRow: subject.looks.includes('in a row'),
    isTerrain: isRange(subject),
    count: items.length,
    lane: laneOf(subject, input),
    width,
    height,
    aspect: Math.min(3, Math.max(0.4, input.width / input.height)) / sharesOf(input),
    depth: (input.environment.ground.nearY - input.environment.ground.farY) / input.height,
    random: input.random.fork(`formation-${subject.id}`),
  })
  const nodes = slots.map((slot, index) => toNode(items[index] ?? first, slot, unit))
  if (isHeap(subject)) return heaped(nodes, subject.looks)
  return isCouple(subject) ? closed(nodes) : nodes
}

/** True for two people who hug, shake hands, dance with each other or stand back to back. */
function isCouple({ art, count, pose, looks, person }: Subject): boolean {
  const isClose = /^(hugging|reaching|dancing)$/.test(pose ?? '') || looks.includes('back to back')
  return (art === 'rig:person' || person !== undefined) && count === 2 && isClose
}

/** Moves the two copies of a couple so close together that their arms can reach each other. */
function closed(nodes: Node[]): Node[] {
  return nodes.map((node, index) => {
    const { left, right } = nodeExtent({ ...node, x: 0 })
    const into = (overlapOf(node.item.subject.pose) * (right - left)) / 2
    return { ...node, x: index === 0 ? into - right : -into - left, y: index * 0.004, z: index * 0.004 }
  })
}

/** Returns a divisor for the width of the picture, because several groups share it: the number of
 *  subjects in the foreground to the power of 0.7. */
function sharesOf({ scene }: LayoutInput): number {
  return Math.max(1, scene.subjects.filter(subject => !subject.isBackground && !isBody(subject)).length) ** 0.7
}

function toNode(item: LayoutItem, slot: { x: number; y: number; scale: number }, unit: number): Node {
  return {
    item,
    x: slot.x,
    y: slot.y,
    unit: unit * slot.scale,
    z: slot.y,
    flip: false,
    tilt: item.subject.looks.includes('sunken') ? 13 : 0,
    attachment: 'none',
  }
}

/** Returns, for each subject that depends on another one, the link to it. Every subject is attached
 *  to at most one other subject (its host), and links never form a cycle. */
function findLinks(subjects: readonly Subject[]): Map<string, Link> {
  const links = new Map<string, Link>()
  const known = new Set(subjects.map(subject => subject.id))
  const add = (child: string, host: string, kind: RelationKind, part?: BodyPart) => {
    // Mountains (tested here) and things in the sky (tested by `isCelestial` below) have a fixed
    // position in the picture. Therefore no link moves them, and no link places another thing
    // beside or in front of them.
    if (kind !== 'on' && kind !== 'printed-on' && (isTerrain(subjects, child) || isTerrain(subjects, host))) return
    if ((kind === 'facing' || kind === 'chasing') && isOffGround(subjects, host) && !isOffGround(subjects, child)) return
    if (atGrove.has(kind) && isGrove(subjects, host, child)) return
    if (kind !== 'printed-on' && (isCelestial(subjects, child) || isCelestial(subjects, host))) return
    if (child === host || !known.has(child) || !known.has(host) || links.has(child) || leadsTo(links, host, child)) return
    links.set(child, { child, host, kind, ...(part ? { part } : {}) })
  }
  for (const subject of subjects) {
    for (const relation of subject.relations) {
      if (relation.kind === 'holding' || relation.kind === 'wearing' || relation.kind === 'carrying') {
        add(relation.of, subject.id, relation.kind)
      } else if (relation.kind === 'between' && relation.and !== undefined) {
        add(relation.of, subject.id, 'left-of')
        add(relation.and, subject.id, 'right-of')
      } else if (relation.kind === 'under' && !isCover(subjects, relation.of, subject)) {
        add(relation.of, subject.id, 'above')
      } else if (
        relation.kind === 'printed-on' ||
        !(subject.habitat === 'air' && (relation.kind === 'on' || relation.kind === 'in') && !isAloft(subjects, relation.of)) ||
        perches(subjects, subject, relation)
      ) {
        add(subject.id, standing(subjects, relation), relation.kind, relation.part)
      }
    }
  }
  return links
}

/** Returns the id of the subject (the host) to which a relation attaches a being or thing. A
 *  being that faces somebody up in a tree is attached to the tree, at whose foot it is then
 *  placed; any other being is attached to the subject that the relation names. */
function standing(subjects: readonly Subject[], { kind, of }: Subject['relations'][number]): string {
  const seen = kind === 'facing' ? subjects.find(({ id }) => id === of) : undefined
  const perch = seen?.relations.find(other => other.kind === 'in' || other.kind === 'on')?.of
  return subjects.find(({ id, art }) => id === perch && art.startsWith('tree:'))?.id ?? of
}

/** True for one small flying animal that sits on something on the ground: a dragonfly on a flower,
 *  a bird on a post. */
function perches(
  subjects: readonly Subject[],
  { heightMetres, pose, count }: Subject,
  { kind, of }: Subject['relations'][number],
): boolean {
  const host = subjects.find(subject => subject.id === of)
  const isStanding = host?.habitat === 'ground' || host?.habitat === 'surface'
  const isLow = host !== undefined && (host.heightMetres < 12 || host.art.startsWith('tree:'))
  return /^(on|in)$/.test(kind) && isStanding && count === 1 && heightMetres < 0.6 && isLow && pose !== 'flying'
}

/** True for mountains and volcanoes. These are behind everything else, so a subject beside or in
 *  front of one of them is never attached to it. */
function isTerrain(subjects: readonly Subject[], id: string): boolean {
  return subjects.some(subject => subject.id === id && isRange(subject))
}

function isRange({ habitat, heightMetres, art }: Subject): boolean {
  return habitat === 'ground' && heightMetres > 250 && /mountain|volcano|fuji|alps|hill/.test(art)
}

function isCelestial(subjects: readonly Subject[], id: string): boolean {
  const subject = subjects.find(one => one.id === id)
  return subject !== undefined && isBody(subject)
}

/** True for a thing below which the subject `child` has enough room: a tree, a table, a bridge. Any
 *  other thing is placed in the air above `child`. */
function isCover(subjects: readonly Subject[], id: string, child: Subject): boolean {
  const host = subjects.find(subject => subject.id === id)
  // A dog can be as high as the table above it, because it ducks.
  const share = /table|desk|:bed/.test(host?.art ?? '') ? 1 : 0.85
  if (!host || host.habitat === 'air' || realHeight(child) > realHeight(host) * share) return false
  return host.heightMetres > 2.5
    ? host.habitat === 'ground' && covers.test(host.art)
    : /table|desk|umbrella|bench|chair|stool|piano|sofa|:bed/.test(host.art)
}

const covers =
  /^tree:|bridge|tent|arch|lamp|light|tower|house|building|castle|temple|church|barn|cottage|cabin|pavilion|pagoda|torii|gate|statue|umbrella|mountain|hill|cliff|waterfall|wheel|windmill|portal|roof|canopy|crane|wave/

/** True for subjects in the water (whales, ships) or in the air (birds). Somebody on the ground
 *  who faces or chases such a subject is not attached to it, because an attached being would be
 *  moved into the water or the air. */
function isOffGround(subjects: readonly Subject[], id: string): boolean {
  const habitat = subjects.find(subject => subject.id === id)?.habitat
  return habitat === 'underwater' || habitat === 'water-surface' || habitat === 'air'
}

const atGrove: ReadonlySet<RelationKind> = new Set<RelationKind>(['beside', 'under', 'in-front-of'])

/** True when the host is several trees or houses and the child is much smaller. The trees or
 *  houses are then the surroundings of the child, which is not attached to them. */
function isGrove(subjects: readonly Subject[], host: string, child: string): boolean {
  const [place, thing] = [host, child].map(id => subjects.find(subject => subject.id === id))
  return place !== undefined && thing !== undefined && place.count > 1 && isPlaceLike(place, [place, thing])
}

function isAloft(subjects: readonly Subject[], id: string): boolean {
  return subjects.some(subject => subject.id === id && subject.habitat === 'air')
}

function leadsTo(links: ReadonlyMap<string, Link>, from: string, target: string): boolean {
  let current: string | undefined = from
  for (let step = 0; step <= links.size && current !== undefined; step++) {
    if (current === target) return true
    current = links.get(current)?.host
  }
  return false
}
