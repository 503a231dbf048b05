import type { Random } from '../drawing.ts'
import type { BodyPart, Pose, RelationKind, Subject } from '../scene.ts'
import { extentOf, nodeExtent, nodeHeight } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { isPlace, limitHost } from './node-moves.ts'
import { isAudience } from './person/posture.ts'

/** How the subject `child` is placed in relation to the subject `host`. For `holding`, `carrying`
 *  and `wearing`, the host is the being, and the child is the thing that it holds or wears. */
export interface Link {
  child: string
  host: string
  kind: RelationKind
  part?: BodyPart
}

export interface AttachInput {
  /** The nodes of the host and of everything already attached to it; the nodes of the child are
   *  added here. */
  nodes: Node[]
  host: Subject
  link: Link
  /** The nodes of the child and of everything attached to it. The coordinates of the nodes are
   *  relative to the origin of this group. */
  group: Node[]
  child: Subject
  random: Random
}

/** Limits the height of the attached subject (the child) to `most` times the height of the tallest
 *  thing beside which it is placed (the hosts). Example: a windmill beside a flock of sheep is made
 *  smaller, because otherwise the sheep would be tiny in a picture that has to show the whole
 *  windmill. */
function tameChild({ group, child }: AttachInput, hosts: Node[], most: number): void {
  const lead = group.find(node => node.item.subject.id === child.id)
  const limit = Math.max(...hosts.map(nodeHeight)) * most
  if (!lead || nodeHeight(lead) <= limit) return
  const factor = limit / nodeHeight(lead)
  for (const node of group) {
    node.x *= factor
    node.y *= factor
    node.unit *= factor
  }
}

/** Raises a subject that flies beside another subject on the ground (its host) to about the height
 *  of the host's head. Returns the offset unchanged in all other cases. */
function lifted(offset: Offset, kind: RelationKind, { child, host }: AttachInput, hosts: readonly Node[]): Offset {
  const isBeside = kind === 'beside' || kind === 'left-of' || kind === 'right-of' || kind === 'in-front-of'
  if (child.habitat !== 'air' || host.habitat === 'air' || !isBeside) return offset
  const rise = Math.max(...hosts.map(nodeHeight)) * 0.62
  return { x: offset.x, y: offset.y - rise, z: offset.z + rise }
}

interface Offset {
  x: number
  y: number
  z: number
}

/** Places the audience (the hosts) nearer to the viewer than the performer (the child), in a row
 *  across the lower part of the picture. */
function seatAudience({ group, child }: AttachInput, hosts: readonly Node[]): void {
  const { left, right } = extentOf(group)
  const height = Math.max(...group.filter(node => node.item.subject.id === child.id).map(nodeHeight))
  const middle = (left + right) / 2
  const width = Math.max(right - left, height * 1.6) * 1.1
  hosts.forEach((host, index) => {
    host.unit *= 0.92
    host.x = middle + ((index + 0.5) / hosts.length - 0.5) * width
    host.y = height * (0.34 + (index % 2) * 0.05)
    host.z = host.y + 0.5
  })
}

/** Matches poses in which a being touches the being or thing that it faces. */
const touching = /^(reaching|hugging|giving|pushing|dancing)$/

/** Returns the offset at which a subject (the child) touches the one that it faces (the host): hand
 *  to hand, chest to chest, or with the hands on a thing. Undefined for poses without touch. */
function contact({ child, group }: AttachInput, hosts: readonly Node[]): Offset | undefined {
  const own = group.find(node => node.item.subject.id === child.id)
  const other = hosts[0]
  if (!own || !other || !(child.art === 'rig:person' || child.person) || !touching.test(child.pose ?? '')) return undefined
  const extent = nodeExtent(own)
  const { left, right } = nodeExtent(other)
  const into = overlapOf(child.pose) * (extent.right - extent.left)
  // The child stands to the left of its host; when it pushes a thing that faces left, it stands to
  // the right, which is behind the thing.
  const isRight = child.pose === 'pushing' && other.item.facing === 'left'
  return { x: isRight ? right - into - extent.left : left + into - extent.right, y: 0, z: 0.001 }
}

/** Returns how far the boxes of two touching figures overlap, as a share of the width of one box.
 *  Without an overlap, outstretched arms would only meet at the fingertips, and a hug would leave a
 *  gap. */
export function overlapOf(pose: Subject['pose']): number {
  const shares: Partial<Record<Pose, number>> = { hugging: 0.5, giving: 0.22, dancing: 0.2, fighting: 0, reaching: 0.06, pushing: 0.06 }
  return pose === undefined ? 0 : (shares[pose] ?? 0)
}

export function standNear(kind: RelationKind, input: AttachInput, hosts: Node[]): void {
  if (/^drawn:(wall|fence|hedge)$/.test(input.host.art) && input.child.art === 'rig:person')
    limitHost(hosts, Math.max(...input.group.map(nodeHeight)) * 1.1)
  tameChild(input, hosts, kind === 'behind' ? (input.child.habitat === 'air' ? 0.95 : 1.7) : 2.4)
  if (isAudience(input.host, { subjects: [input.child] })) {
    seatAudience(input, hosts)
    return
  }
  const offset = (kind === 'facing' ? contact(input, hosts) : undefined) ?? lifted(nearOffset(kind, input, hosts), kind, input, hosts)
  for (const node of input.group) {
    node.x += offset.x
    node.y += offset.y
    node.z += offset.y + offset.z
    if (kind === 'above' && node.attachment === 'none') node.attachment = 'aloft'
  }
}

function nearOffset(kind: RelationKind, { nodes, group, child, host, random }: AttachInput, hosts: Node[]): Offset {
  const core = extentOf(hosts)
  const all = extentOf(nodes)
  const mine = extentOf(group)
  const width = mine.right - mine.left
  const height = mine.bottom - mine.top
  const hostWidth = core.right - core.left
  const hostHeight = core.bottom - core.top
  const side = random.next() < 0.5 ? -1 : 1
  const gap = Math.min(0.14 * Math.min(width, hostWidth) + 0.02, 0.25)
  const stagger = random.between(-0.02, 0.05) * height
  const center = (core.left + core.right) / 2 - (mine.left + mine.right) / 2
  switch (kind) {
    case 'under':
      return hostHeight > height * 1.25 ? beneath(hosts, { width, height, center, side }) : { x: center, y: 0, z: -0.02 }
    case 'above':
      if (isPlace(host, child)) limitHost(hosts, height * 2.4)
      return hover(
        extentOf(hosts).top - Math.min(height * 0.18, hostHeight * 0.3) - mine.bottom,
        center + side * Math.min(width, hostWidth) * 0.05,
      )
    case 'behind': {
      // A small drummer sits high enough to be visible behind the drums.
      if (host.art === 'drawn:drum-kit') {
        limitHost(hosts, height * 1.1)
        const kit = extentOf(hosts)
        return {
          x: (kit.left + kit.right) / 2 - (mine.left + mine.right) / 2,
          y: -Math.max(height * 0.2, (kit.bottom - kit.top) * 0.95 - height * (child.art === 'rig:person' ? 0.5 : 0.35)),
          z: -0.02,
        }
      }
      if (child.habitat === 'air') return aloftBehind(group, { x: center, y: core.top + hostHeight * 0.3 - mine.bottom })
      const slip = width > hostWidth * 1.4 ? width * 0.18 : hostWidth * 0.5 + width * 0.12
      for (const node of group) node.unit *= 0.92
      return { x: center + side * slip, y: -Math.min(hostHeight, height) * 0.16, z: -0.02 }
    }
    case 'in-front-of':
      return before(hosts, nodes, { width, height, center, side, isPlace: isPlace(host, child) })
    case 'left-of':
      return { x: all.left - gap - mine.right, y: stagger, z: 0.001 }
    case 'right-of':
      return { x: all.right + gap - mine.left, y: stagger, z: 0.001 }
    default: {
      // A building beside cows is drawn behind them. Next to each other, both would have to be
      // small to fit into the picture.
      if (isPlace(child, host) && kind === 'beside') return { x: center + side * hostWidth * 0.22, y: -hostHeight * 0.3, z: -0.02 }
      const toLeft = child.place?.horizontal === 'left' || (kind === 'chasing' && child.place?.horizontal !== 'right')
      return { x: toLeft ? all.left - gap - mine.right : all.right + gap - mine.left, y: stagger, z: 0.001 }
    }
  }
}

/** Returns the offset for a thing in the air behind another thing, such as balloons behind a
 *  cake: the position `at`, and a place in the drawing order before that of the other thing. */
function aloftBehind(group: readonly Node[], at: { x: number; y: number }): Offset {
  return { ...at, z: -0.02 - at.y - Math.max(...group.map(node => node.z)) }
}

/** Returns the offset for a thing above another thing (its host). Usually, a thing that is higher
 *  up in the picture is farther away and drawn earlier; this thing hovers, so `z` makes it be drawn
 *  after its host. */
function hover(y: number, x: number): Offset {
  return { x, y, z: 0.02 - y }
}

/** Returns the offset at which a subject (the child) is in front of another one (its host), on the
 *  side where no other thing stands. A host that is a place, such as a castle or a windmill, is
 *  made smaller. */
function before(
  hosts: Node[],
  nodes: readonly Node[],
  child: { width: number; height: number; center: number; side: number; isPlace: boolean },
): Offset {
  if (child.isPlace) limitHost(hosts, child.height * 2.3)
  const { left, right, top } = extentOf(hosts)
  const width = right - left
  const others = nodes.filter(node => !hosts.includes(node))
  const beside = others.length > 0 ? extentOf(others) : undefined
  const taken = beside ? Math.sign(beside.left + beside.right - left - right) : 0
  const side = taken === 0 ? child.side : -taken
  const slip = child.width > width * 0.7 ? width * 0.4 + child.width * 0.1 : width * (child.isPlace ? 0.36 : 0.16)
  const y = Math.min(-top, child.height) * (child.isPlace ? 0.22 : 0.12)
  const x = child.center + side * slip
  if (!beside) return { x, y, z: 0.02 }
  // When other things already stand in front of the same host, the child is moved far enough to one
  // side that it does not hide those things.
  const middleNow = (left + right) / 2 - child.center
  const clear = side > 0 ? beside.right + child.width * 0.56 - middleNow : beside.left - child.width * 0.56 - middleNow
  return { x: side > 0 ? Math.max(x, clear) : Math.min(x, clear), y, z: 0.02 }
}

/** Returns the offset at which a subject stands at the foot of a tall thing (its host): slightly to
 *  one side of the middle of the host, and nearer to the viewer. */
function beneath(hosts: Node[], child: { width: number; height: number; center: number; side: number }): Offset {
  limitHost(hosts, child.height * 2.5)
  const { left, right } = extentOf(hosts)
  return { x: child.center + child.side * Math.max((right - left) * 0.16, child.width * 0.62), y: child.height * 0.09, z: 0.02 }
}
