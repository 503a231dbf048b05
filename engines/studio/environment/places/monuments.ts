import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { css, mix, rgb, smooth } from '../colour.ts'
import { type GrassObject, paintGrass } from '../grass.ts'
import { greensOf } from '../season.ts'
import { type Box, drawBox, fillPolygon, fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, overlay, soilSurface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import { fence, outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'
import { arch, column, gravestone, stoneBlock, tower } from './stonework.ts'

/** Paints ruins: broken columns and an arch among grass and trees. */
export const ruins: PlacePainter = stage => {
  const near = stage.view.depth(stage.view.nearY)
  const noise = stage.noise('ruins')
  return scenery(stage, {
    floor: 'grass',
    terrain: rollingTerrain(noise, grassSurface(stage, noise), { hills: 22, ridges: 340, start: near * 16 }),
    plantings: [
      { kinds: ['broad', 'cypress', 'bush', 'tall'], count: 40, near: near * 7, far: near * 60, height: [4, 10], clearness: 560 },
    ],
    paintThings: context => paintGrass(context, stage, { height: 0.2, density: 1, flowers: 9, things: fragments(context, stage, near) }),
    nearGrass: true,
  })
}

function fragments(context: SKRSContext2D, stage: Stage, near: number): GrassObject[] {
  const random = stage.random.fork('ruins')
  const half = ((stage.width / 2) * 6 * near) / stage.view.focal
  const things: GrassObject[] = [
    { z: near * 5, draw: () => arch(context, stage, { x: -stage.sun.side * near * 1.9, z: near * 5, size: near }) },
  ]
  for (const z of [near * 6, near * 4.2, near * 2.9]) {
    for (let x = -half; x <= half; x += near * 0.95) {
      if (Math.abs(x) < near * 0.7 || random.next() > 0.72) continue
      const at = { x: x + random.between(-0.2, 0.2) * near, z, height: near * random.between(0.35, 1.25), radius: near * 0.085 }
      const own = random.fork(`column ${x} ${z}`)
      things.push({ z, draw: () => column(context, stage, at, own) })
    }
  }
  for (let i = 0; i < 14; i++) {
    const x = random.between(-0.5, 0.5) * half
    const z = near * random.between(1.5, 5)
    const s = near * random.between(0.05, 0.13)
    const box: Box = { x: [x, x + s * 1.6], y: [0, s], z: [z, z + s], colour: rgb('#bdb2a0') }
    if (Math.abs(x) > z * 0.13) things.push({ z, draw: () => drawBox(context, stage.view, box, outdoorShine(stage, z)) })
  }
  return things
}

/** Paints the grounds of a castle: a lane that leads to its gate. */
export const castleGrounds: PlacePainter = stage => {
  const near = stage.view.depth(stage.view.nearY)
  const noise = stage.noise('castle')
  const lane = soilSurface(stage, noise, ['#cdb78f', '#9f8a66'])
  const wallZ = near * 6.2
  const onLane = (x: number, z: number) =>
    z > wallZ ? 0 : smooth(near * 0.34, near * 0.27, Math.abs(x - Math.sin(z / near / 2) * near * 0.12))
  return scenery(stage, {
    floor: 'grass',
    terrain: rollingTerrain(
      noise,
      overlay(grassSurface(stage, noise), lane, ({ x, z }) => onLane(x, z)),
      { hills: 30, ridges: 420, start: near * 13 },
    ),
    plantings: [
      { kinds: ['broad', 'conifer', 'tall'], count: 60, near: wallZ * 1.15, far: near * 60, height: [7, 15], clearness: 560 },
      { kinds: ['bush'], count: 16, near: near * 4, far: wallZ, height: [0.8, 1.6], clearness: 500, allow: x => Math.abs(x) > near * 0.6 },
    ],
    paintThings: context => {
      const things = [{ z: wallZ - near * 0.1, draw: () => curtainWall(context, stage, wallZ, near) }]
      paintGrass(context, stage, { height: 0.18, density: 0.9, flowers: 9, things, allow: x => Math.abs(x) > near * 0.36 })
    },
  })
}

/** Draws the outer wall of a castle: battlements, round towers and a gate. */
function curtainWall(context: SKRSContext2D, stage: Stage, z: number, near: number): void {
  const half = ((stage.width / 2) * z) / stage.view.focal + near
  const h = near * 0.95
  stoneBlock(context, stage, { x: [-half, -near * 0.5], y: [0, h], z, deep: near * 0.2 })
  stoneBlock(context, stage, { x: [near * 0.5, half], y: [0, h], z, deep: near * 0.2 })
  const merlons = near * 0.13
  const shine = outdoorShine(stage, z, 500)
  const plane = frontPlane(stage.view, z)
  for (let u = -half; u < half; u += merlons * 2)
    fillRects(context, plane, [[u, h, u + merlons, h + merlons * 1.2]], css(shine.tone(rgb('#b3a999'), 0.6)))
  for (const x of [-half * 0.72, half * 0.72]) tower(context, stage, { x, z, radius: near * 0.36, height: h * 1.75, roof: false })
  for (const x of [-near * 0.62, near * 0.62])
    tower(context, stage, { x, z: z - near * 0.1, radius: near * 0.27, height: h * 1.9, roof: true })
  stoneBlock(context, stage, { x: [-near * 0.45, near * 0.45], y: [h * 0.72, h * 1.25], z, deep: 0.5 })
  const gate = Array.from(
    { length: 13 },
    (_, i) => [Math.cos((i / 12) * Math.PI) * near * 0.34, h * 0.55 + Math.sin((i / 12) * Math.PI) * near * 0.3] as const,
  )
  fillPolygon(
    context,
    plane,
    pairs([near * 0.45, 0, near * 0.45, h * 0.8, -near * 0.45, h * 0.8, -near * 0.45, 0]),
    css(shine.tone(rgb('#a89d8c'), 0.5)),
  )
  fillPolygon(context, plane, [[near * 0.34, 0], ...gate, [-near * 0.34, 0]], css(shine.tone(rgb('#3a2c22'), 0.4)))
  for (let u = -0.3; u <= 0.31; u += 0.12)
    fillRects(context, plane, [[u * near - 0.05, h * 0.3, u * near + 0.05, h * 0.55 + near * 0.2]], 'rgba(20,16,12,0.6)')
}

/** Paints a graveyard: rows of gravestones under bare trees. */
export const graveyard: PlacePainter = stage => {
  const near = stage.view.depth(stage.view.nearY)
  const noise = stage.noise('graveyard')
  const dull = stage.scene.setting.colour === undefined ? mix(greensOf(stage).grass[0], rgb('#4f5a44'), 0.55) : undefined
  const terrain = rollingTerrain(noise, grassSurface(stage, noise, dull), { hills: 14, ridges: 160, start: near * 14 })
  return scenery(stage, {
    floor: 'grass',
    terrain: { ...terrain, clearness: 220 },
    plantings: [{ kinds: ['dead', 'bare', 'cypress', 'bush'], count: 26, near: near * 5, far: near * 26, height: [4, 9], clearness: 140 }],
    paintThings: context => paintGrass(context, stage, { height: 0.17, density: 0.9, flowers: 3, things: graves(context, stage, near) }),
    nearGrass: true,
  })
}

function graves(context: SKRSContext2D, stage: Stage, near: number): GrassObject[] {
  const random = stage.random.fork('graves')
  const things: GrassObject[] = [
    { z: near * 8, draw: () => fence(context, stage, { z: near * 8, height: 1.3, gap: [-near * 0.5, near * 0.5] }) },
  ]
  for (let row = 0; row < 5; row++) {
    const rowZ = near * (1.7 + row * 1.25)
    const half = ((stage.width / 2) * rowZ) / stage.view.focal + near
    for (let x = -half; x < half; x += near * 0.62) {
      if (Math.abs(x) < near * 0.38 || random.next() > 0.8) continue
      const z = rowZ + random.between(-0.2, 0.2) * near
      const stone = { x: x + random.between(-0.1, 0.1) * near, z, s: near * random.between(0.14, 0.24), kind: random.integer(0, 3) }
      things.push({ z, draw: () => gravestone(context, stage, stone) })
    }
  }
  return things
}
