import type { Rgb } from '../../drawing.ts'
import { clamp, mix, rgb, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import { type FloorKind, floorMaterial, type WallKind, wallMaterial } from '../materials.ts'
import type { Stage } from '../stage.ts'
import type { PlacePainter } from './place.ts'

interface Make {
  wall: WallKind
  colour: Rgb
  floor: FloorKind
  ground: Rgb
  isOutdoors: boolean
}

function makeOf(stage: Stage): Make {
  const own = stage.scene.setting.colour
  const isBrick = stage.has('brick')
  const isOutdoors = isBrick || stage.has('stone', 'concrete', 'street', 'rough', 'city', 'graffiti', 'old')
  const wall: WallKind = isBrick
    ? 'brick'
    : stage.has('wooden', 'wood')
      ? 'wood'
      : stage.has('tiled', 'tile')
        ? 'tile'
        : isOutdoors
          ? 'concrete'
          : 'plain'
  const usual = {
    brick: '#a4553f',
    wood: '#a9794d',
    tile: '#dfe7ea',
    concrete: '#b9b4ab',
    plain: '#ece4d6',
    stripe: '#ece4d6',
    panel: '#ece4d6',
  }
  return {
    wall,
    colour: own ? mix(rgb(own.hex), rgb('#ffffff'), own.name === 'black' ? 0.1 : 0.08) : rgb(usual[wall]),
    floor: isOutdoors ? 'concrete' : 'wood',
    ground: rgb(isOutdoors ? '#9a978f' : '#b08355'),
    isOutdoors,
  }
}

/** Bricks are drawn larger than real ones by this factor, so that they are recognisable in a small
 *  picture. */
const coarse = 1.5

/** Position of the foot of the wall as a share of the picture's height, from the top. */
const footShare = 0.84

/** Paints a wall that fills the picture, with a pavement or floor below it. */
export const wall: PlacePainter = stage => {
  const { view, width, height, unit } = stage
  const make = makeOf(stage)
  const edgeY = Math.round(Math.max(height * footShare, view.horizonY + unit * 0.08))
  return {
    floor: make.isOutdoors ? 'stone' : 'wood',
    edgeY,
    isIndoors: !make.isOutdoors,
    light: { shadow: 0.25, rim: 0.1, ...(make.isOutdoors ? {} : { ambient: rgb(stage.palette.isDim ? '#ffe6c4' : '#ffffff') }) },
    haze: { colour: rgb('#ffffff'), strength: 0 },
    paintBack: context => {
      const noise = stage.noise('wall')
      const face = wallMaterial(noise, make.wall, make.colour)
      const ground = floorMaterial(noise, make.floor, make.ground)
      const metre = view.metre(view.nearY) * 0.9
      const depth = view.depth(edgeY)
      const day = mix(stage.palette.key, rgb('#ffffff'), 0.7)
      const level = stage.palette.isDim ? 0.72 : 1
      paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 1.6), (px, py, out) => {
        if (py < edgeY) face((px - view.centreX) / metre / coarse, (edgeY - py) / metre / coarse + (make.isOutdoors ? 0.2 : 0), out)
        else {
          const z = (depth * (edgeY - height * 0.3)) / Math.max(1, py - height * 0.3)
          ground(((px - view.centreX) / view.focal) * z, z, out)
        }
        const x = (px - view.centreX) / unit
        const pool = 1.04 - 0.2 * smooth(0.1, 0.95, Math.hypot(x + stage.sun.side * -0.2, (py / height - 0.32) * 0.9))
        const corner = 1 - 0.3 * smooth(unit * 0.05, 0, Math.abs(py - edgeY))
        const light = clamp(pool * corner, 0.3, 1.08) * level
        out[0] = (out[0]! * light * day.r) / 255
        out[1] = (out[1]! * light * day.g) / 255
        out[2] = (out[2]! * light * day.b) / 255
      })
    },
  }
}
