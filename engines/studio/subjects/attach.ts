import type { BodyPart, RelationKind } from '../scene.ts'
import { fitBall, isBall, isBeing } from './attach-balls.ts'
import { board } from './attach-cabin.ts'
import { encase, isClear } from './attach-clear.ts'
import { type AttachInput, standNear } from './attach-near.ts'
import { onBack, seatRoom, shareSeat } from './attach-seats.ts'
import { seatAtTable, sitsAt } from './attach-table.ts'
import { arrange, isBunch } from './bunch.ts'
import { isHeap } from './heaps.ts'
import { extentOf, nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { insideShare, isPlace, join, limitHost, limitHosts, middle, moveTo, rescale, withRiders } from './node-moves.ts'
import { type Grip, gripOf } from './person/grips.ts'
import { isBoard, isTub, staysUpright } from './person/posture.ts'
import { printOn } from './print-on.ts'
import { shareSurface } from './share-surface.ts'

/** Moves the nodes of a subject (the child) and all that is attached to them to their place at
 *  another subject (the host), and adds them to the nodes of the host. */
export function attach(input: AttachInput): void {
  const { nodes, group, child } = input
  const own = group.filter(node => node.item.subject.id === child.id)
  const hosts = nodes.filter(node => node.item.subject.id === input.host.id)
  if (hosts.length === 0 || own.length === 0) return
  if (board(input, hosts)) {
    nodes.push(...group)
    return
  }
  const kind = effectiveKind(input)
  showGuests(input, hosts, own)
  if (kind === 'printed-on') printOn(hosts, own, group)
  else if (input.link.part && (input.host.person || input.link.part === 'head'))
    for (const [index, node] of own.entries()) perch(node, hosts[index % hosts.length], group, input.link.part)
  else if (sitsAt(input)) seatAtTable(input, hosts)
  else if (/^(riding|holding|wearing|carrying)$/.test(kind)) pairUp(kind, { hosts, own, group, all: nodes })
  else if (kind === 'on' || kind === 'in') {
    settle(kind, hosts, own, group)
    shareSurface(hosts, [...nodes, ...group])
  } else if (kind === 'around') surround(nodes, own, group)
  else standNear(kind, input, hosts)
  nodes.push(...group)
  if (kind === 'riding') shareSeat(hosts, nodes)
}

/** Makes a tree smaller, so that beings in or beside it are large enough to recognise. */
function showGuests({ host, link }: AttachInput, hosts: Node[], own: readonly Node[]): void {
  if (!host.art.startsWith('tree:') || host.art === 'tree:branch' || link.kind === 'above' || link.kind === 'printed-on') return
  limitHost(hosts, Math.max(...own.flatMap(node => [nodeHeight(node), nodeWidth(node)])) * 2.7)
}

/** True for bodies that bend at the hips: people, and animals that act like them. */
function hasHips({ group, child }: AttachInput): boolean {
  return group.some(node => node.item.subject.id === child.id && node.item.anchors.hips !== undefined)
}

/** Returns the relation as it is drawn: "on a boat" becomes `in`; a thing in or beside a house is
 *  drawn in front of it. */
function effectiveKind(input: AttachInput): RelationKind {
  const { nodes, host, child, link } = input
  if (link.kind === 'on' && host.habitat === 'water-surface') return 'in'
  const isOpen = nodes.some(node => node.item.subject.id === host.id && node.item.anchors.opening !== undefined)
  if (link.kind === 'in' && isTub(host)) return 'in'
  const isBefore = link.kind === 'beside' || (link.kind === 'in' && !isOpen)
  if (isBefore && isPlace(host, child) && !host.art.startsWith('tree:')) return 'in-front-of'
  if (link.kind === 'beside' && /^drawn:(wall|fence|hedge|door)$/.test(host.art) && child.art === 'rig:person') return 'in-front-of'
  const hasSeat = nodes.some(node => node.item.subject.id === host.id && node.item.anchors.seat !== undefined)
  const sits =
    hasHips(input) &&
    host.habitat !== 'water-surface' &&
    !staysUpright(child, host, link.kind) &&
    child.pose !== 'sleeping' &&
    child.pose !== 'lying'
  if ((link.kind === 'on' || link.kind === 'riding') && isBoard(host)) return 'on'
  // A snake around a branch is placed on the branch.
  if (link.kind === 'around' && host.art === 'tree:branch') return 'on'
  if (link.kind === 'on' && child.pose === 'jumping' && child.art === 'rig:person') return 'above'
  // A rider or driver is placed inside a thing (host) that has an opening but no seat.
  if (link.kind === 'riding' && isOpen && !hasSeat) return 'in'
  if ((link.kind === 'on' || link.kind === 'in') && sits && hasSeat) return 'riding'
  return link.kind
}

function pairUp(kind: RelationKind, { hosts, own, group, all }: Pairs): void {
  const isTaken = new Set(all.flatMap(node => (node.attachment === 'held' && node.host?.item.anchors.otherHand ? [node.host] : [])))
  own.forEach((node, index) => {
    const host = hosts[index % hosts.length]
    if (!host) return
    if (kind === 'riding') ride(node, host, group, { turn: Math.floor(index / hosts.length), of: Math.ceil(own.length / hosts.length) })
    else if (kind === 'wearing') wear(node, host, group)
    else if (isTaken.has(host)) holdAside(node, host, group)
    else hold(node, host, group, Math.floor(index / hosts.length))
  })
}

/** Seats rider number `turn` (from 0) of `of` riders on one host. A tall rider is made smaller. */
function ride(node: Node, host: Node, group: Node[], share: { turn: number; of: number }): void {
  const seat = host.item.anchors.seat ?? seatOf(host)
  const hips = node.item.anchors.hips ?? { x: 0, y: node.item.bounds.bottom - 14 }
  const isBoard = /skateboard|surfboard|snowboard|sled/.test(host.item.subject.art)
  // The length of a board (skateboard, surfboard) is at most 1.25 times the height of its rider.
  if (isBoard) limitHost([host], (nodeHeight(host) * nodeHeight(node) * 1.25) / nodeWidth(host))
  const limit = (isBoard ? nodeWidth(host) : nodeHeight(host)) * 0.95
  rescale(node, group, Math.min(1, limit / nodeHeight(node)))
  const along = share.of < 2 ? 0 : ((share.turn + 0.5) / share.of - 0.5) * Math.min(seatRoom(host), share.of * nodeWidth(node) * 1.1)
  const looksBack = isSideways(node) && isSideways(host) && node.item.facing !== host.item.facing
  if (looksBack) node.flip = !node.flip
  const hipsX = looksBack ? -hips.x : hips.x
  moveTo(node, group, host.x + seat.x * host.unit + along - hipsX * node.unit, host.y + seat.y * host.unit - hips.y * node.unit)
  join(node, group, host, 'riding', 0.01)
}

const isSideways = (node: Node): boolean => node.item.facing !== 'front'

/** Returns the point at which a rider sits on a host whose drawing has no seat: on its upper part,
 *  or on the stick of a broom, in front of its brush. */
function seatOf(host: Node): { x: number; y: number } {
  const { left, right, top } = host.item.bounds
  if (host.item.subject.art.includes('broom')) return { x: middle(host) + (right - left) * 0.16, y: top * 0.5 }
  return { x: middle(host), y: top * 0.72 }
}

function hold(node: Node, host: Node, group: Node[], turn: number): void {
  const firm = host.item.subject.person ? gripOf(node.item.subject, host.item.subject.pose, host.item.subject.looks) : undefined
  if (firm) {
    holdFirmly(node, host, group, firm)
    return
  }
  const hand = host.item.anchors.hand ?? { x: host.item.bounds.right * 0.7, y: host.item.bounds.top * 0.45 }
  if (node.item.subject.art.includes('umbrella')) {
    shelter(node, host, group, hand)
    return
  }
  const isFloating = node.item.subject.habitat === 'air'
  const limit = nodeHeight(host) * (isFloating ? 0.55 : host.item.subject.art === 'drawn:closed-hand' ? 0.8 : 0.42)
  const floor = nodeHeight(host) * (host.item.subject.art === 'drawn:closed-hand' ? 0.6 : 0.13)
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
  // The fist in a close-up of a hand is drawn over the thing that it holds.
  join(node, group, host, 'held', host.item.subject.art === 'drawn:closed-hand' ? -0.01 : 0.02)
}

interface Pairs {
  hosts: Node[]
  own: Node[]
  group: Node[]
  /** All nodes that already belong to the same `Block` as the hosts. */
  all: readonly Node[]
}

/** Places a thing in the far hand of a host whose near hand already holds something. */
function holdAside(node: Node, host: Node, group: Node[]): void {
  const at = host.item.anchors.otherHand ?? { x: 0, y: host.item.bounds.top * 0.5 }
  const limit = nodeHeight(host) * 0.3
  rescale(
    node,
    group,
    Math.min(1, limit / nodeHeight(node), limit / nodeWidth(node)) * Math.max(1, (nodeHeight(host) * 0.13) / nodeHeight(node)),
  )
  const grip = node.item.bounds.bottom * node.unit - nodeHeight(node) * 0.35
  moveTo(node, group, host.x + at.x * host.unit - middle(node) * node.unit, host.y + at.y * host.unit - grip)
  join(node, group, host, 'held', 0.02)
}

/** Places a held thing at the position and in the size that `grip` gives. */
function holdFirmly(node: Node, host: Node, group: Node[], grip: Grip): void {
  const at = host.item.anchors.hand ?? { x: 0, y: host.item.bounds.top * 0.5 }
  rescale(node, group, (grip.size * host.unit) / Math.max(nodeHeight(node), nodeWidth(node)))
  if (grip.isMirrored) node.flip = !node.flip
  const center = (node.item.bounds.top + node.item.bounds.bottom) / 2
  const sideways = grip.isMirrored ? -middle(node) : middle(node)
  moveTo(node, group, host.x + at.x * host.unit - sideways * node.unit, host.y + at.y * host.unit - center * node.unit)
  join(node, group, host, 'held', 0.02)
}

/** Places a being on a body part of another one, its host: on the shoulder, head, lap or back.
 *  People and large animals are placed on the neck instead of the shoulder. */
function perch(node: Node, host: Node | undefined, group: Node[], part: BodyPart | undefined): void {
  if (!host) return
  const { anchors, bounds } = host.item
  const isRider = node.item.anchors.hips !== undefined || node.item.subject.heightMetres > 1
  const limit = nodeHeight(host) * (isRider ? 0.7 : 0.34)
  rescale(node, group, Math.min(1, limit / nodeHeight(node)))
  const head = anchors.head ?? { x: 0, y: bounds.top, width: 12 }
  const shoulder = anchors.shoulder ?? { x: head.x - head.width, y: head.y + head.width }
  const onNeck = { x: head.x, y: head.y + head.width * 0.6 }
  const at = { head, shoulder: isRider ? onNeck : shoulder, lap: anchors.lap ?? onNeck, back: onBack(host) ?? onNeck }[part ?? 'shoulder']
  const rest = node.item.anchors.hips ?? { x: middle(node), y: node.item.bounds.bottom }
  moveTo(node, group, host.x + at.x * host.unit - rest.x * node.unit, host.y + at.y * host.unit - rest.y * node.unit)
  join(node, group, host, 'riding', isRider && part !== 'lap' ? -0.01 : 0.02)
}

/** Places an umbrella over the head, with its handle in the hand. */
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

/** Places hats on the top of the head, glasses in front of the eyes, scarves and collars at the
 *  neck; all are scaled to the width of the head or neck. */
function wear(node: Node, host: Node, group: Node[]): void {
  const box = host.item.bounds
  const head = host.item.anchors.head ?? { x: middle(host), y: box.top, width: (box.right - box.left) * 0.4 }
  const { art } = node.item.subject
  const part = /glasses|goggles|mask/.test(art) ? 'eyes' : /scarf|necklace|tie|collar|medal|bell/.test(art) ? 'neck' : 'crown'
  const { neck = { x: head.x, y: head.y + head.width * 0.72, width: head.width * 0.8 } } = host.item.anchors
  const width = { eyes: head.width * 0.95, neck: neck.width, crown: head.width * 1.15 }[part]
  rescale(node, group, (width * host.unit) / nodeWidth(node))
  const height = nodeHeight(node)
  const top = host.y + head.y * host.unit
  const foot = {
    eyes: top + head.width * 0.46 * host.unit + height / 2,
    neck: host.y + neck.y * host.unit + height * 0.94,
    crown: top + height * 0.2,
  }[part]
  const x = part === 'neck' ? neck.x : head.x
  moveTo(node, group, host.x + x * host.unit - middle(node) * node.unit, foot - node.item.bounds.bottom * node.unit)
  join(node, group, host, 'worn', part === 'neck' ? 0.025 : 0.03)
}

function settle(kind: 'on' | 'in', hosts: Node[], own: Node[], group: Node[]): void {
  const host = hosts[0]
  if (!host) return
  limitHosts(kind, hosts, own)
  const balances = kind === 'on' && isBall(host) && own.some(isBeing)
  if (balances) fitBall(hosts, own)
  if (kind === 'in' && isBunch(own, host)) {
    for (const [index, to] of hosts.entries()) {
      const mine = own.filter((_, at) => at % hosts.length === index)
      arrange(to, mine, group)
    }
    return
  }
  if (kind === 'in' && isClear(host)) {
    encase(host, own, group)
    return
  }
  if (kind === 'on') {
    fitFurniture(hosts, own)
    fitPlace(hosts, own)
    enlarge(host, own, group)
    lineUp(own, group)
  }
  const place = restingPlace(kind, host)
  if (isTree(host)) Object.assign(place, perchIn(host, own))
  const { top, bottom } = host.item.bounds
  if (balances) Object.assign(place, { y: top + (bottom - top) * 0.045, width: Number.POSITIVE_INFINITY })
  putDown({ kind, hosts, host, own, group, place })
}

function isTree({ item }: Node): boolean {
  return item.subject.art.startsWith('tree:')
}

/** Returns the middle of a host's top surface or of its opening. */
function restingPlace(kind: 'on' | 'in', host: Node): { x: number; y: number; width: number } {
  const { anchors, bounds, subject } = host.item
  const { left, right, top, bottom } = bounds
  if (kind === 'in') return anchors.opening ?? { x: middle(host), y: top + (bottom - top) * 0.3, width: (right - left) * 0.62 }
  const below = subject.art.startsWith('drawn:') ? 0.012 : 0.05
  return anchors.top ?? backOf(host) ?? { x: middle(host), y: top + (bottom - top) * below, width: (right - left) * 0.8 }
}

interface PuttingDown {
  kind: 'on' | 'in'
  hosts: Node[]
  host: Node
  own: Node[]
  group: Node[]
  place: { x: number; y: number; width: number }
}

/** Places the things `own` side by side on a single host; with several hosts, places one thing on
 *  each of them in turn. */
function putDown({ kind, hosts, host, own, group, place }: PuttingDown): void {
  const { left, right, top, bottom } = host.item.bounds
  const isFlat = right - left > (bottom - top) * 2.4
  const inTree = isTree(host)
  const each = hosts.length > 1 && own.length > 1
  const extent = extentOf(group)
  const room = place.width * host.unit
  const shrink = Math.min(1, (room * 0.95) / (extent.right - extent.left))
  const scale = each ? Math.min(1, (room * 0.95) / Math.max(...own.map(nodeWidth))) : shrink
  own.forEach((node, index) => {
    const to = each ? (hosts[index % hosts.length] ?? host) : host
    const isHigh = isHeap(node.item.subject)
    // A thing on a plate may be higher than the plate; on a mug, it is at most 45 % as high as the
    // mug.
    const mostOn = Math.max(nodeHeight(to) * 0.45, kind === 'on' && isFlat ? room * 0.55 : 0)
    const small =
      own.length > 0 && node.item.subject.habitat === 'surface' && to.item.subject.habitat === 'surface'
        ? Math.min(1, mostOn / (nodeHeight(node) * scale))
        : 1
    // All things of a heap are reduced by the same factor.
    const together = scale * (isHigh ? small : 1)
    const offset = each ? 0 : (node.x - (extent.left + extent.right) / 2) * together
    const isUpper = isHigh && node.y < -1e-6
    const depth = each ? 0 : node.y * together * (isHigh ? 1 : 0.5)
    rescale(node, group, scale * small)
    const roof = kind === 'in' ? (to.item.anchors.opening?.height ?? Number.POSITIVE_INFINITY) * to.unit : Number.POSITIVE_INFINITY
    rescale(node, group, Math.min(1, roof / (nodeHeight(node) * (1 - insideShare))))
    const sink = kind === 'in' && !inTree ? nodeHeight(node) * insideShare : 0
    const x = to.x + place.x * to.unit + offset - (each ? middle(node) * node.unit : 0)
    moveTo(node, group, x, to.y + place.y * to.unit + sink + depth - node.item.bounds.bottom * node.unit)
    // With `inside`, the wall of the container hides the lower part of the thing.
    join(node, group, to, kind === 'in' && !inTree && !isUpper ? 'inside' : 'resting', 0.005 + (isHigh ? 0 : depth * 0.01))
  })
}

/** Returns where things are placed in a tree: in the crown, or below it if they hang. */
function perchIn(host: Node, own: readonly Node[]): { x: number; y: number } {
  const { left, right, top, bottom } = host.item.bounds
  const hangs = own.some(({ item }) => /lantern|lamp|light|swing|ornament|bell|bauble|chime|feeder|hive/.test(item.subject.art))
  return { x: middle(host) + (hangs ? (right - left) * 0.25 : 0), y: top + (bottom - top) * (hangs ? 0.78 : 0.34) }
}

/** Returns the back of an animal as a surface for another animal; undefined for other hosts. */
function backOf({ item: { anchors, subject, bounds } }: Node): { x: number; y: number; width: number } | undefined {
  const isAnimal = subject.art.startsWith('rig:') || subject.art.startsWith('noto:')
  return isAnimal && anchors.seat && anchors.head && !subject.person
    ? { ...anchors.seat, width: (bounds.right - bounds.left) * 0.5 }
    : undefined
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

/** Makes a cliff or hill so small that the things on it are visible. */
function fitPlace(hosts: Node[], own: readonly Node[]): void {
  const [host, guest] = [hosts[0], own[0]]
  if (!host || !guest || !isPlace(host.item.subject, guest.item.subject)) return
  const widest = own.reduce((sum, node) => sum + nodeWidth(node), 0)
  const factor = Math.min(1, (nodeHeight(guest) * 1.8) / nodeHeight(host), (widest * 3) / nodeWidth(host))
  limitHost(hosts, nodeHeight(host) * factor)
}

/** Places up to six things in one row; a second row would seem to float above a narrow host. */
function lineUp(own: readonly Node[], group: Node[]): void {
  if (own.length > 6 || own.some(node => isHeap(node.item.subject))) return
  const step = Math.max(...own.map(nodeWidth)) * 1.04
  for (const node of own) rescale(node, group, Math.max(...own.map(other => other.unit)) / node.unit)
  for (const [index, node] of own.entries()) moveTo(node, group, (index - (own.length - 1) / 2) * step, 0)
}

/** Enlarges things on a broad host, such as a cushion, where they would be too small to see. */
function enlarge(host: Node, own: readonly Node[], group: Node[]): void {
  if (!/ground|surface/.test(host.item.subject.habitat) || host.item.subject.art === 'tree:branch' || host.item.anchors.seat) return
  for (const node of own) {
    const least = nodeWidth(host) * Math.min(0.26, 0.8 / own.length)
    const factor = Math.min(1.9, least / Math.max(nodeWidth(node), nodeHeight(node) * 0.8))
    if (factor > 1) rescale(node, group, factor)
  }
}

/** Makes a sofa smaller when the things on it are much narrower, such as one cat. */
function fitFurniture(hosts: Node[], own: readonly Node[]): void {
  const host = hosts[0]
  if (host?.item.subject.habitat !== 'ground') return
  const guests = own.reduce((sum, node) => sum + nodeWidth(node), 0)
  const excess = nodeWidth(host) / (guests * 3.6)
  if (excess > 1) limitHost(hosts, nodeHeight(host) * Math.max(0.6, 1 / excess))
}
