import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Subject } from '../scene.ts'
import type { PixelBox } from './ground-contact.ts'
import type { PlacedSubject } from './placed.ts'

interface Picture {
  context: SKRSContext2D
  placed: readonly PlacedSubject[]
  width: number
  height: number
}

/** Draws the two straps that run from the shoulders of a draught animal to the thing that it
 *  pulls. */
export function paintTraces({ context, placed: all, width, height }: Picture, { subject, box }: { subject: Subject; box: PixelBox }): void {
  const load = subject.relations.find(({ kind }) => kind === 'facing')
  const host = all.find(other => other.subject === load?.of)
  if (!host || subject.art === 'rig:person') return
  const far = { x: host.box.x * width, y: host.box.y * height, width: host.box.width * width, height: host.box.height * height }
  const isRight = far.x + far.width / 2 > box.x + box.width / 2
  const near = { x: isRight ? far.x + far.width * 0.1 : far.x + far.width * 0.9, y: far.y + far.height * 0.6 }
  const shoulder = { x: box.x + box.width * (isRight ? 0.34 : 0.66), y: box.y + box.height * 0.56 }
  context.save()
  context.lineCap = 'round'
  for (const [lift, colour] of [
    [0.03, '#3c2718'],
    [-0.03, '#6b4528'],
  ] as const) {
    const [from, to] = [
      { x: shoulder.x, y: shoulder.y + lift * box.height },
      { x: near.x, y: near.y + lift * far.height },
    ]
    context.strokeStyle = colour
    context.lineWidth = Math.max(1.2, Math.min(width, height) * 0.005)
    context.beginPath()
    context.moveTo(from.x, from.y)
    context.quadraticCurveTo((from.x + to.x) / 2, Math.max(from.y, to.y) + Math.abs(from.x - to.x) * 0.05, to.x, to.y)
    context.stroke()
  }
  context.restore()
}
