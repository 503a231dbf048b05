import type { Random } from '../drawing.ts'
import type { RelationKind, Subject } from '../scene.ts'
import { extentOf, nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Attachment, Node } from './layout-types.ts'

/** Share of a thing's height that is hidden in the container it is in. */
export const insideShare = 0.34

/** `child` is placed relative to `host`. For `holding`, `carrying` and `wearing` the host is the holder. */
export interface Link {
  child: string
  host: string
  kind: RelationKind
}

export interface AttachInput {
  /** Nodes of the host's group so far; the child's nodes are added. */
  nodes: Node[]
  host: Subject
  link: Link
  /** Nodes of the child's group, around its own origin. */
  group: Node[]
  child: Subject
  random: Random
}

/** Moves the child's group to its place at the host and adds it to the host's nodes. */
export function attach(input: AttachInput): void {
  const { nodes, group, child } = input
  const own = group.filter(node => node.item.subject.id === child.id)
  const hosts = nodes.filter(node => node.item.subject.id === input.host.id)
  if (hosts.length === 0 || own.length === 0) return
  const kind = effectiveKind(input)
  if (kind === 'riding' || kind === 'holding' || kind === 'wearing' || kind === 'carrying') pairUp(kind, hosts, own, group)
  else if (kind === 'on' || kind === 'in') settle(kind, hosts, own, group)
  else if (kind === 'around') surround(nodes, own, group)
  else standNear(kind, input, hosts)
  nodes.push(...group)
}

/** Reads a relation by what the things are: on a boat is in it; in a tree or house is before it; on a huge thing that has no top is before it. */
function effectiveKind({ host, child, link }: AttachInput): RelationKind {
  if (link.kind === 'on' && host.habitat === 'water-surface') return 'in'
  if ((link.kind === 'in' || link.kind === 'beside') && isPlace(host, child) && !host.art.startsWith('tree:')) return 'in-front-of'
  if (link.kind === 'riding' && !child.art.startsWith('rig:')) return 'on'
  const sits = child.art === 'rig:person' && (child.pose === 'sitting' || child.pose === 'reading')
  if (link.kind === 'on' && sits && host.heightMetres > 0.3 && host.heightMetres < 4) return 'riding'
  return link.kind
}

/** True when the host is so much larger that it is where the child is, not what it is with: a castle for a knight. */
function isPlace(host: Subject, child: Subject): boolean {
  return host.habitat === 'ground' && host.heightMetres > 3 && host.heightMetres > 2.2 * child.heightMetres
}

function pairUp(kind: RelationKind, hosts: Node[], own: Node[], group: Node[]): void {
  own.forEach((node, index) => {
    const host = hosts[index % hosts.length]
    if (!host) return
    if (kind === 'riding') ride(node, host, group)
    else if (kind === 'wearing') wear(node, host, group)
    else hold(node, host, group, Math.floor(index / hosts.length))
  })
}

function ride(node: Node, host: Node, group: Node[]): void {
  const seat = host.item.anchors.seat ?? {
    x: middle(host),
    y: host.item.bounds.top * (host.item.subject.art.includes('broom') ? 0.52 : 0.72),
  }
  const hips = node.item.anchors.hips ?? { x: 0, y: node.item.bounds.bottom - 20 }
  // A rider smaller than a fifth of the mount would be lost on it; one above its height would crush it.
  const limit = nodeHeight(host) * 0.95
  rescale(node, group, Math.min(1, limit / nodeHeight(node)))
  moveTo(node, group, host.x + seat.x * host.unit - hips.x * node.unit, host.y + seat.y * host.unit - hips.y * node.unit)
  join(node, group, host, 'riding', 0.01)
}

function hold(node: Node, host: Node, group: Node[], turn: number): void {
  const hand = host.item.anchors.hand ?? { x: host.item.bounds.right * 0.7, y: host.item.bounds.top * 0.45 }
  const isFloating = node.item.subject.habitat === 'air'
  const limit = nodeHeight(host) * (isFloating ? 0.55 : 0.42)
  const floor = nodeHeight(host) * 0.13
  rescale(node, group, Math.min(1, limit / nodeHeight(node), limit / nodeWidth(node)) * Math.max(1, floor / nodeHeight(node)))
  const grip = node.item.bounds.bottom * node.unit - (isFloating ? 0 : nodeHeight(node) * 0.35)
  if (node.item.subject.art.includes('kite')) {
    const away = nodeHeight(host)
    moveTo(node, group, host.x + hand.x * host.unit + away * 0.62, host.y + hand.y * host.unit - away * 0.42)
    join(node, group, host, 'held', 0.02)
    return
  }
  const sideways = turn * nodeWidth(node) * 0.7
  moveTo(node, group, host.x + hand.x * host.unit + sideways - middle(node) * node.unit, host.y + hand.y * host.unit - grip)
  join(node, group, host, 'held', 0.02)
}

function wear(node: Node, host: Node, group: Node[]): void {
  const box = host.item.bounds
  const head = host.item.anchors.head ?? { x: middle(host), y: box.top, width: (box.right - box.left) * 0.4 }
  rescale(node, group, (head.width * 1.15 * host.unit) / nodeWidth(node))
  const sink = nodeHeight(node) * 0.2
  moveTo(
    node,
    group,
    host.x + head.x * host.unit - middle(node) * node.unit,
    host.y + head.y * host.unit + sink - node.item.bounds.bottom * node.unit,
  )
  join(node, group, host, 'worn', 0.03)
}

function settle(kind: 'on' | 'in', hosts: Node[], own: Node[], group: Node[]): void {
  const host = hosts[0]
  if (!host) return
  // A passenger must be seen: a ship gives up size for the people on it.
  if (host.item.subject.habitat === 'water-surface') limitHost(hosts, Math.max(...own.map(nodeHeight)) * 3.2)
  const box = host.item.bounds
  const width = box.right - box.left
  const height = box.bottom - box.top
  const place =
    kind === 'on'
      ? (host.item.anchors.top ?? { x: middle(host), y: box.top + height * 0.05, width: width * 0.8 })
      : (host.item.anchors.opening ?? { x: middle(host), y: box.top + height * 0.3, width: width * 0.62 })
  const each = hosts.length > 1 && own.length > 1
  const extent = extentOf(group)
  const room = place.width * host.unit
  const shrink = Math.min(1, (room * 0.95) / (extent.right - extent.left))
  const scale = each ? Math.min(1, (room * 0.95) / Math.max(...own.map(nodeWidth))) : shrink
  own.forEach((node, index) => {
    const to = each ? (hosts[index % hosts.length] ?? host) : host
    const offset = each ? 0 : (node.x - (extent.left + extent.right) / 2) * scale
    const depth = each ? 0 : node.y * scale * 0.5
    const small =
      own.length > 0 && node.item.subject.habitat === 'surface' && to.item.subject.habitat === 'surface'
        ? Math.min(1, (nodeHeight(to) * 0.45) / (nodeHeight(node) * scale))
        : 1
    rescale(node, group, scale * small)
    const sink = kind === 'in' ? nodeHeight(node) * insideShare : 0
    const x = to.x + place.x * to.unit + offset - (each ? middle(node) * node.unit : 0)
    moveTo(node, group, x, to.y + place.y * to.unit + sink + depth - node.item.bounds.bottom * node.unit)
    join(node, group, to, kind === 'in' ? 'inside' : 'resting', 0.005 + depth * 0.01)
  })
}

function surround(nodes: Node[], own: Node[], group: Node[]): void {
  const core = extentOf(nodes)
  const center = (core.left + core.right) / 2
  own.forEach((node, index) => {
    const angle = ((index + 0.5) / own.length) * Math.PI * 2
    const radius = (core.right - core.left) / 2 + nodeWidth(node) * 0.75
    const y = Math.sin(angle) * Math.min(radius * 0.3, nodeHeight(node) * 0.6)
    moveTo(node, group, center + Math.cos(angle) * radius, y)
    for (const one of withRiders(node, group)) one.z += y + (y > 0 ? 0.01 : -0.01)
  })
}

interface Offset {
  x: number
  y: number
  z: number
}

function standNear(kind: RelationKind, input: AttachInput, hosts: Node[]): void {
  tameChild(input, hosts)
  const offset = nearOffset(kind, input, hosts)
  for (const node of input.group) {
    node.x += offset.x
    node.y += offset.y
    node.z += offset.y + offset.z
  }
}

/** Beside a flock, a windmill gives up size as well, or the flock would be lost. */
function tameChild({ group, child }: AttachInput, hosts: Node[]): void {
  const lead = group.find(node => node.item.subject.id === child.id)
  const limit = Math.max(...hosts.map(nodeHeight)) * 3
  if (!lead || nodeHeight(lead) <= limit) return
  const factor = limit / nodeHeight(lead)
  for (const node of group) {
    node.x *= factor
    node.y *= factor
    node.unit *= factor
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
      return { x: center + side * Math.min(width, hostWidth) * 0.12, y: core.top - height * 0.18 - mine.bottom, z: 0.02 }
    case 'behind': {
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
      const toLeft = child.place?.horizontal === 'left' || (kind === 'chasing' && child.place?.horizontal !== 'right')
      return { x: toLeft ? all.left - gap - mine.right : all.right + gap - mine.left, y: stagger, z: 0.001 }
    }
  }
}

/** Nearer to the viewer than its host and to one side of it, on the side that is still free. A place (castle, windmill) gives up size for what is before it. */
function before(
  hosts: Node[],
  nodes: readonly Node[],
  child: { width: number; height: number; center: number; side: number; isPlace: boolean },
): Offset {
  if (child.isPlace) limitHost(hosts, child.height * 2.3)
  const { left, right, top } = extentOf(hosts)
  const width = right - left
  const others = nodes.filter(node => !hosts.includes(node))
  const taken = others.length > 0 ? Math.sign(extentOf(others).left + extentOf(others).right - left - right) : 0
  const side = taken === 0 ? child.side : -taken
  const slip = child.width > width * 0.7 ? width * 0.4 + child.width * 0.1 : width * (child.isPlace ? 0.36 : 0.16)
  return { x: child.center + side * slip, y: Math.min(-top, child.height) * (child.isPlace ? 0.22 : 0.12), z: 0.02 }
}

/** At the foot of something tall: a little to one side of the trunk, nearer to the viewer. */
function beneath(hosts: Node[], child: { width: number; height: number; center: number; side: number }): Offset {
  limitHost(hosts, child.height * 2.5)
  const { left, right } = extentOf(hosts)
  return { x: child.center + child.side * Math.max((right - left) * 0.16, child.width * 0.62), y: child.height * 0.09, z: 0.02 }
}

/** Keeps a tree over a fox in the picture: the host may not be more than `limit` high. */
function limitHost(hosts: Node[], limit: number): void {
  const tallest = Math.max(...hosts.map(nodeHeight))
  if (tallest <= limit) return
  for (const host of hosts) host.unit *= limit / tallest
}

function join(node: Node, group: Node[], host: Node, attachment: Attachment, over: number): void {
  node.attachment = attachment
  node.host = host
  const lift = host.z + over - node.z
  for (const one of withRiders(node, group)) one.z += lift
}

function moveTo(node: Node, group: Node[], x: number, y: number): void {
  const dx = x - node.x
  const dy = y - node.y
  for (const one of withRiders(node, group)) {
    one.x += dx
    one.y += dy
  }
}

function rescale(node: Node, group: Node[], factor: number): void {
  for (const one of withRiders(node, group)) {
    one.x = node.x + (one.x - node.x) * factor
    one.y = node.y + (one.y - node.y) * factor
    one.unit *= factor
  }
}

/** The node and everything that rests on it, is held by it or rides on it. */
export function withRiders(node: Node, group: readonly Node[]): Node[] {
  const found = new Set([node])
  for (let round = 0; round < 4; round++) {
    for (const one of group) if (one.host && found.has(one.host)) found.add(one)
  }
  return [...found]
}

function middle(node: Node): number {
  return (node.item.bounds.left + node.item.bounds.right) / 2
}
