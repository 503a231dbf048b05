import type { Random } from '../drawing.ts'
import type { RelationKind, Subject } from '../scene.ts'
import { extentOf, nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Attachment, Node } from './layout-types.ts'

/** A cliff or hill is drawn as small as it must be for what stands on it to be seen. */
function fitPlace(hosts: Node[], own: readonly Node[]): void {
  const [host, guest] = [hosts[0], own[0]]
  if (!host || !guest || !isPlace(host.item.subject, guest.item.subject)) return
  const widest = own.reduce((sum, node) => sum + nodeWidth(node), 0)
  const factor = Math.min(1, (nodeHeight(guest) * 1.8) / nodeHeight(host), (widest * 3) / nodeWidth(host))
  limitHost(hosts, nodeHeight(host) * factor)
}

/** A sofa gives up some size for a cat that sleeps on it. */
function fitFurniture(hosts: Node[], own: readonly Node[]): void {
  const host = hosts[0]
  if (host?.item.subject.habitat !== 'ground') return
  const guests = own.reduce((sum, node) => sum + nodeWidth(node), 0)
  const excess = nodeWidth(host) / (guests * 3.6)
  if (excess > 1) limitHost(hosts, nodeHeight(host) * Math.max(0.6, 1 / excess))
}

/** Several things on one surface (a cat and a dog on a sofa) sit side by side on it, in the order they were named. */
function shareSurface(hosts: readonly Node[], all: readonly Node[]): void {
  for (const host of hosts) {
    const guests = all.filter(node => node.host === host && (node.attachment === 'resting' || node.attachment === 'inside'))
    const kinds = [...new Set(guests.map(node => node.item.subject.id))]
    if (kinds.length < 2) continue
    const place = host.item.anchors.top ?? { x: middle(host), width: (host.item.bounds.right - host.item.bounds.left) * 0.8 }
    const room = place.width * host.unit
    kinds.forEach((id, index) => {
      const mine = guests.filter(node => node.item.subject.id === id)
      const extent = extentOf(mine)
      const factor = Math.min(1, ((room / kinds.length) * 1.05) / (extent.right - extent.left))
      const center = host.x + place.x * host.unit + ((index + 0.5) / kinds.length - 0.5) * room
      const old = (extent.left + extent.right) / 2
      for (const node of mine) {
        const foot = node.y + node.item.bounds.bottom * node.unit
        rescale(node, [...all], factor)
        moveTo(node, [...all], center + (node.x - old) * factor, foot - node.item.bounds.bottom * node.unit)
      }
    })
  }
}

/** Share of a thing's height that is hidden in the container it is in. */
export const insideShare = 0.34

/** `child` is placed relative to `host`. For `holding`, `carrying` and `wearing` the host is the holder. */
export interface Link {
  child: string
  host: string
  kind: RelationKind
}

interface AttachInput {
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
  else if (kind === 'on' || kind === 'in') {
    settle(kind, hosts, own, group)
    shareSurface(hosts, [...nodes, ...group])
  } else if (kind === 'around') surround(nodes, own, group)
  else standNear(kind, input, hosts)
  nodes.push(...group)
}

/** Reads a relation by what the things are: on a boat is in it; in a tree or house is before it; on a huge thing that has no top is before it. */
function effectiveKind({ nodes, host, child, link }: AttachInput): RelationKind {
  if (link.kind === 'on' && host.habitat === 'water-surface') return 'in'
  if ((link.kind === 'in' || link.kind === 'beside') && isPlace(host, child) && !host.art.startsWith('tree:')) return 'in-front-of'
  const hasSeat = nodes.some(node => node.item.subject.id === host.id && node.item.anchors.seat !== undefined)
  const sits = child.art === 'rig:person' && host.habitat !== 'water-surface' && child.pose !== 'sleeping' && child.pose !== 'lying'
  if ((link.kind === 'on' || link.kind === 'in') && sits && hasSeat) return 'riding'
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
    if (kind === 'riding') ride(node, host, group, { turn: Math.floor(index / hosts.length), of: Math.ceil(own.length / hosts.length) })
    else if (kind === 'wearing') wear(node, host, group)
    else hold(node, host, group, Math.floor(index / hosts.length))
  })
}

/** Several riders share a seat: along a bench by its width, on an animal close together. */
function ride(node: Node, host: Node, group: Node[], share: { turn: number; of: number }): void {
  const seat = host.item.anchors.seat ?? seatOf(host)
  const hips = node.item.anchors.hips ?? { x: 0, y: node.item.bounds.bottom - 14 }
  // A rider smaller than a fifth of the mount would be lost on it; one above its height would crush it.
  const limit = nodeHeight(host) * 0.95
  rescale(node, group, Math.min(1, limit / nodeHeight(node)))
  const room = host.item.anchors.top ? host.item.anchors.top.width * host.unit * 0.9 : nodeWidth(host) * 0.42
  const along = share.of < 2 ? 0 : ((share.turn + 0.5) / share.of - 0.5) * Math.min(room, share.of * nodeWidth(node) * 1.1)
  const looksBack = isSideways(node) && isSideways(host) && node.item.facing !== host.item.facing
  if (looksBack) node.flip = !node.flip
  const hipsX = looksBack ? -hips.x : hips.x
  moveTo(node, group, host.x + seat.x * host.unit + along - hipsX * node.unit, host.y + seat.y * host.unit - hips.y * node.unit)
  join(node, group, host, 'riding', 0.01)
}

function isSideways(node: Node): boolean {
  return node.item.facing !== 'front'
}

/** Where one sits on a thing without a known seat: on the upper part; on the stick of a broom, before its brush. */
function seatOf(host: Node): { x: number; y: number } {
  const { left, right, top } = host.item.bounds
  if (host.item.subject.art.includes('broom')) return { x: middle(host) + (right - left) * 0.16, y: top * 0.5 }
  return { x: middle(host), y: top * 0.72 }
}

function hold(node: Node, host: Node, group: Node[], turn: number): void {
  const hand = host.item.anchors.hand ?? { x: host.item.bounds.right * 0.7, y: host.item.bounds.top * 0.45 }
  if (node.item.subject.art.includes('umbrella')) {
    shelter(node, host, group, hand)
    return
  }
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

/** An umbrella is held over the head, its handle in the hand. */
function shelter(node: Node, host: Node, group: Node[], hand: { x: number; y: number }): void {
  rescale(node, group, (nodeHeight(host) * 0.78) / nodeHeight(node))
  const x = (hand.x + (host.item.anchors.head?.x ?? hand.x)) / 2
  moveTo(
    node,
    group,
    host.x + x * host.unit - middle(node) * node.unit,
    host.y + (hand.y + 6) * host.unit - node.item.bounds.bottom * node.unit,
  )
  join(node, group, host, 'held', -0.01)
}

/** Hats sit on the crown, glasses before the eyes, scarves and collars at the neck; all are scaled to the head. */
function wear(node: Node, host: Node, group: Node[]): void {
  const box = host.item.bounds
  const head = host.item.anchors.head ?? { x: middle(host), y: box.top, width: (box.right - box.left) * 0.4 }
  const { art } = node.item.subject
  const part = /glasses|goggles|mask/.test(art) ? 'eyes' : /scarf|necklace|tie|collar|medal|bell/.test(art) ? 'neck' : 'crown'
  rescale(node, group, (head.width * { eyes: 0.95, neck: 0.8, crown: 1.15 }[part] * host.unit) / nodeWidth(node))
  const height = nodeHeight(node)
  const top = host.y + head.y * host.unit
  const foot = {
    eyes: top + head.width * 0.46 * host.unit + height / 2,
    neck: top + head.width * 0.92 * host.unit + height * 0.7,
    crown: top + height * 0.2,
  }[part]
  moveTo(node, group, host.x + head.x * host.unit - middle(node) * node.unit, foot - node.item.bounds.bottom * node.unit)
  join(node, group, host, 'worn', part === 'neck' ? 0.025 : 0.03)
}

function settle(kind: 'on' | 'in', hosts: Node[], own: Node[], group: Node[]): void {
  const host = hosts[0]
  if (!host) return
  // A passenger must be seen: a ship gives up size for the people on it.
  if (host.item.subject.habitat === 'water-surface') limitHost(hosts, Math.max(...own.map(nodeHeight)) * 3.2)
  if (host.item.subject.art === 'tree:branch') limitHost(hosts, Math.max(...own.map(nodeHeight)) * 0.75)
  const box = host.item.bounds
  const width = box.right - box.left
  const height = box.bottom - box.top
  if (kind === 'on') {
    fitFurniture(hosts, own)
    fitPlace(hosts, own)
  }
  const place =
    kind === 'on'
      ? (host.item.anchors.top ?? {
          x: middle(host),
          y: box.top + height * (host.item.subject.art.startsWith('drawn:') ? 0.012 : 0.05),
          width: width * 0.8,
        })
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
    const isAfloat = node.item.subject.habitat === 'air' || node.item.subject.habitat === 'underwater'
    const y =
      Math.sin(angle) * (isAfloat ? radius * 0.85 : Math.min(radius * 0.3, nodeHeight(node) * 0.6)) -
      (isAfloat ? (core.bottom - core.top) * 0.3 : 0)
    moveTo(node, group, center + Math.cos(angle) * radius, y)
    for (const one of withRiders(node, group)) one.z += y + (y > 0 ? 0.01 : -0.01)
  })
}

/** What flies beside something on the ground flies at the height of its head. */
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

function standNear(kind: RelationKind, input: AttachInput, hosts: Node[]): void {
  tameChild(input, hosts, kind === 'behind' ? (input.child.habitat === 'air' ? 0.95 : 1.7) : 2.4)
  const offset = lifted(nearOffset(kind, input, hosts), kind, input, hosts)
  for (const node of input.group) {
    node.x += offset.x
    node.y += offset.y
    node.z += offset.y + offset.z
  }
}

/** Beside a flock, a windmill gives up size as well, or the flock would be lost. */
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
      return hover(extentOf(hosts).top - height * 0.18 - mine.bottom, center + side * Math.min(width, hostWidth) * 0.12)
    case 'behind': {
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
      // A barn beside cows is behind them: side by side, both would have to be small.
      if (isPlace(child, host) && kind === 'beside') return { x: center + side * hostWidth * 0.22, y: -hostHeight * 0.3, z: -0.02 }
      const toLeft = child.place?.horizontal === 'left' || (kind === 'chasing' && child.place?.horizontal !== 'right')
      return { x: toLeft ? all.left - gap - mine.right : all.right + gap - mine.left, y: stagger, z: 0.001 }
    }
  }
}

/** Balloons behind a cake hang above it, and all of them are drawn before it. */
function aloftBehind(group: readonly Node[], at: { x: number; y: number }): Offset {
  return { ...at, z: -0.02 - at.y - Math.max(...group.map(node => node.z)) }
}

/** Above the host in the picture is not farther away: the drawing order stays in front of it. */
function hover(y: number, x: number): Offset {
  return { x, y, z: 0.02 - y }
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
function withRiders(node: Node, group: readonly Node[]): Node[] {
  const found = new Set([node])
  for (let round = 0; round < 4; round++) {
    for (const one of group) if (one.host && found.has(one.host)) found.add(one)
  }
  return [...found]
}

function middle(node: Node): number {
  return (node.item.bounds.left + node.item.bounds.right) / 2
}
