import { nodeHeight } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'

/** True for balls of all games; only a being that balances can stand on them. */
export function isBall({ item: { subject } }: Node): boolean {
  return /^drawn:.*ball$|^noto:.*ball$|balloon-ball|drawn:sphere/.test(subject.art)
}

/** True for an animal or a person, by its drawing or by its pose. */
export function isBeing({ item: { subject } }: Node): boolean {
  return subject.art.startsWith('rig:') || subject.pose !== undefined
}

/** Enlarges a ball so that a being on it keeps its size, as far as the size of the ball in the
 *  prompt allows. */
export function fitBall(hosts: Node[], own: readonly Node[]): void {
  const tallest = Math.max(...own.map(nodeHeight))
  for (const host of hosts) {
    const share = { tiny: 0.3, small: 0.42, normal: 0.55, large: 0.8, huge: 1.1 }[host.item.subject.size]
    host.unit *= (tallest * share) / nodeHeight(host)
  }
}
