import { nodeHeight } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'

/** Balls of all games, which only carry who balances on them. */
export function isBall({ item: { subject } }: Node): boolean {
  return /^drawn:.*ball$|^noto:.*ball$|balloon-ball|drawn:sphere/.test(subject.art)
}

/** An animal or a person, by its drawing or by what it does. */
export function isBeing({ item: { subject } }: Node): boolean {
  return subject.art.startsWith('rig:') || subject.pose !== undefined
}

/** A ball that a being stands on keeps it in its size: the ball grows to carry it, no further
 *  than its size word lets it. */
export function fitBall(hosts: Node[], own: readonly Node[]): void {
  const tallest = Math.max(...own.map(nodeHeight))
  for (const host of hosts) {
    const share = { tiny: 0.3, small: 0.42, normal: 0.55, large: 0.8, huge: 1.1 }[host.item.subject.size]
    host.unit *= (tallest * share) / nodeHeight(host)
  }
}
