import { nodeHeight } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'

/** True for balls of all games and for spheres; people and animals balance on top of them. */
export function isBall({ item: { subject } }: Node): boolean {
  return /^drawn:.*ball$|^noto:.*ball$|balloon-ball|drawn:sphere/.test(subject.art)
}

/** True for an animal or a person: a subject that is drawn by a rig or that has a pose. */
export function isBeing({ item: { subject } }: Node): boolean {
  return subject.art.startsWith('rig:') || subject.pose !== undefined
}

/** Scales a ball in relation to the beings on it, whose size stays the same. The ball becomes
 *  0.3 times (tiny) to 1.1 times (huge) as high as the tallest being, depending on the size that
 *  the prompt gives to the ball. */
export function fitBall(hosts: Node[], own: readonly Node[]): void {
  const tallest = Math.max(...own.map(nodeHeight))
  for (const host of hosts) {
    const share = { tiny: 0.3, small: 0.42, normal: 0.55, large: 0.8, huge: 1.1 }[host.item.subject.size]
    host.unit *= (tallest * share) / nodeHeight(host)
  }
}
