/** Draws what rises around actors: embers, smoke and steam from things, and snow, sand or dust that
 *  feet kick up. */
import type { SceneLayers } from '@generation-gateway/studio/layers.ts'
import type { Pen } from '../raster/pen.ts'
import { embers, kicks, type Plume, smoke } from '../weather/plume.ts'
import { type Actor, type ActorFrame, wayOf } from './actor.ts'
import type { View } from './view.ts'

interface Plumes {
  before(pen: Pen, view: View, actor: Actor, frame: ActorFrame): void
  after(pen: Pen, view: View, actor: Actor, frame: ActorFrame): void
}

export function plumesOf(actors: readonly Actor[], { environment }: SceneLayers, seed: string): Plumes {
  const behind = new Map<Actor, Plume>()
  const before = new Map<Actor, Plume>()
  for (const actor of actors) {
    const { layer, motion } = actor
    const own = `${seed}/${layer.placed.subject}/${layer.placed.copy}`
    const { art, noun, pose } = layer.subject
    if (motion.isFire && !/candle/.test(art)) {
      behind.set(actor, smoke(own, { colour: '120,116,124', strength: 0.1, rise: 2.2 }))
      before.set(actor, embers(own))
    } else if (/coffee|tea|soup|noodle|ramen|hot-beverage|kettle|teapot|bowl-with|steaming/.test(`${art} ${noun}`))
      before.set(actor, smoke(own, { colour: '255,255,255', strength: 0.16, rise: 0.9 }))
    else if (/locomotive|steam|volcano|factory|chimney/.test(art))
      behind.set(actor, smoke(own, { colour: '226,226,230', strength: 0.28, rise: 1 }))
    else if (pose === 'running' && layer.placed.lane === 'ground' && kickOf[environment.floor])
      before.set(actor, kicks(own, kickOf[environment.floor] ?? '', Math.sign(actor.speed) || 1))
  }
  const draw = (plumes: Map<Actor, Plume>) => (pen: Pen, view: View, actor: Actor, frame: ActorFrame) => {
    const plume = plumes.get(actor)
    if (!plume) return
    const { body, baseline } = actor.layer
    const placement = view.at(actor.nearness)
    const way = wayOf(actor, frame)
    pen.save()
    pen.translate(placement.x, placement.y)
    pen.scale(placement.scale, placement.scale)
    const isLow = actor.layer.subject.pose === 'running'
    const top = /locomotive|steam|volcano|factory|chimney|coffee|tea|soup|bowl/.test(actor.layer.subject.art)
      ? body.y + body.height * 0.12
      : baseline
    plume(
      pen,
      { x: body.x + body.width / 2 + way.x, y: isLow ? baseline : top + way.y, width: body.width, height: body.height },
      frame.seconds,
    )
    pen.restore()
  }
  return { before: draw(behind), after: draw(before) }
}

/** Colour (RGB) of the particles that feet kick up, by the kind of ground. */
const kickOf: Partial<Record<string, string>> = { snow: '255,255,255', sand: '226,202,158', soil: '170,140,110', grass: '150,140,96' }
