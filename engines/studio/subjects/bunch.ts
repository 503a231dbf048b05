import { nodeHeight } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { join, middle, moveTo, rescale } from './node-moves.ts'

const flowers =
  /flower|tulip|rose\b|daisy|lily|peony|orchid|poppy|hibiscus|blossom|lavender|carnation|bouquet|hyacinth|iris|daffodil|dahlia|lilac/
/** Matches the nouns of vessels in which a prompt may put flowers. */
export const vases = /vase|jug|pitcher|bottle|glass$|jar$|amphora|mug$|cup$|watering can/

/** True for flowers that are put into a vase. */
export function isBunch(own: readonly Node[], host: Node): boolean {
  return own.every(({ item }) => flowers.test(item.subject.noun)) && vases.test(host.item.subject.noun)
}

/** Largest angle between neighbouring stems, and largest lean of the outermost stems, in
 *  degrees. */
const [between, outermost] = [36, 54]
/** Length of a flower as a share of the height of the vase (`share`), and the share of the flower
 *  that is hidden inside the vase (`within`). */
const [share, within] = [1, 0.2]

/** Arranges flowers in a vase. The stems meet in the opening of the vase, whose wall hides their
 *  lower ends. The flowers form a fan, in which every second one is slightly lower and drawn in
 *  front of its neighbours. */
export function arrange(host: Node, own: readonly Node[], group: Node[]): void {
  const mouth = host.item.anchors.opening ?? { x: middle(host), y: host.item.bounds.top * 0.98, width: 0 }
  const [x, y] = [host.x + mouth.x * host.unit, host.y + mouth.y * host.unit]
  const step = own.length < 2 ? 0 : Math.min(between, (outermost * 2) / (own.length - 1))
  for (const [index, node] of own.entries()) {
    const isLow = index % 2 !== Math.floor(own.length / 2) % 2
    rescale(node, group, (nodeHeight(host) * share * (own.length > 2 ? 0.82 : 1) * (isLow ? 0.9 : 1)) / nodeHeight(node))
    const tilt = (index - (own.length - 1) / 2) * step
    const turn = (tilt * Math.PI) / 180
    const height = nodeHeight(node)
    // A node is rotated around its middle, so the flower is placed by its middle; `reach` is the
    // distance from there to the opening of the vase.
    const reach = height * (0.5 - within)
    const center = { x: x + Math.sin(turn) * reach, y: y - Math.cos(turn) * reach }
    moveTo(node, group, center.x - middle(node) * node.unit, center.y + height / 2 - node.item.bounds.bottom * node.unit)
    node.tilt = tilt
    join(node, group, host, 'held', -0.02 + (isLow ? 0.005 : 0))
  }
}
