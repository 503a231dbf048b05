import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import { courses } from './buildings.ts'
import type { Drawing, Pen } from './pen.ts'

interface HousePlan {
  storeys: number
  hasWindows: boolean
}

const storey = 34
const half = 46

/** Drawings of houses, by name. Their roof, door, walls and chimney can have different colours. */
export const houses: Record<string, Drawing> = {
  house: familyHouse({ storeys: 1, hasWindows: true }),
  'blind-house': familyHouse({ storeys: 1, hasWindows: false }),
  'house-of-two-storeys': familyHouse({ storeys: 2, hasWindows: true }),
  'house-of-three-storeys': familyHouse({ storeys: 3, hasWindows: true }),
  'house-of-four-storeys': familyHouse({ storeys: 4, hasWindows: true }),
}

function familyHouse(plan: HousePlan): Drawing {
  return { paint: pen => paintHouse(pen, plan) }
}

function paintHouse(pen: Pen, { storeys, hasWindows }: HousePlan): void {
  const walls = pen.part('walls', pen.main('#f3ead8'))
  const eaves = -storeys * storey
  const ridge = eaves - 36
  paintChimney(pen, ridge)
  const body = pen.poly([-half, 0, -half, eaves, 0, ridge + 3, half, eaves, half, 0], walls, 5)
  pen.clip(body, () => {
    courses(pen, { left: -half, right: half, top: ridge, bottom: 0 }, 4.4, shade(walls, -0.07))
    pen.polyFlat([-half, eaves - 2, 0, ridge + 3, half, eaves - 2, half, eaves + 5, 0, ridge + 11, -half, eaves + 5], '#1c123a2e')
    pen.boxFlat(-half, -4, half * 2, 4, shade(walls, -0.32))
    for (let floor = 1; floor < storeys; floor++) pen.boxFlat(-half, -floor * storey - 1, half * 2, 2.6, shade(walls, -0.2))
  })
  paintGable(pen, eaves, ridge)
  if (hasWindows) paintWindows(pen, { storeys, eaves, ridge })
  paintEntrance(pen)
  for (const [x, width] of pairs([-42, 24, 18, 26])) {
    pen.shape([x - 2, 0, x, -7, x + width * 0.3, -10, x + width * 0.7, -9, x + width, -5, x + width + 3, 0], '#5c9643', 2)
    for (let i = 0; i < 5; i++) pen.ovalFlat(x + 3 + i * (width / 5), -4 - (i % 2) * 2.4, 1.2, 1.2, i % 2 ? '#fbe9f0' : '#ec8aa6')
  }
}

function paintChimney(pen: Pen, ridge: number): void {
  const brick = pen.part('chimney', '#a8654e')
  const stack = pen.box(21, ridge - 4, 11, 34, brick)
  pen.clip(stack, () => courses(pen, { left: 20, right: 33, top: ridge - 4, bottom: ridge + 30 }, 3, shade(brick, -0.2)))
  pen.box(19.4, ridge - 7, 14.2, 4, shade(brick, -0.18))
}

/** Draws two slopes of tiles with their edge boards, seen from the gable. */
function paintGable(pen: Pen, eaves: number, ridge: number): void {
  const roof = pen.part('roof', '#b5523c')
  const rise = ridge - eaves
  for (const side of [-1, 1]) {
    const slope = pen.poly(
      [0, ridge - 7, side * (half + 11), eaves - rise * 0.2 - 3, side * (half + 9), eaves - rise * 0.2 + 5, 0, ridge + 5],
      side < 0 ? shade(roof, 0.05) : shade(roof, -0.08),
      3,
    )
    pen.clip(slope, () => {
      for (let i = 1; i < 12; i++) {
        const x = (side * (half + 11) * i) / 12
        const y = ridge - 7 + ((eaves - rise * 0.2 + 4 - ridge) * i) / 12
        pen.line([x, y - 3, x - side * 1.2, y + 14], 1, shade(roof, -0.28))
      }
    })
    pen.line([0, ridge + 5.4, side * (half + 9), eaves - rise * 0.2 + 5.6], 2, '#fbf5e8')
  }
}

function paintWindows(pen: Pen, { storeys, eaves, ridge }: { storeys: number; eaves: number; ridge: number }): void {
  const frame = pen.part('windows', '#fbf7ee')
  for (let floor = 0; floor < storeys; floor++)
    for (const x of floor === 0 ? [-35, 20] : [-35, -7.5, 20]) {
      const y = -floor * storey - 27
      pen.window(x, y, 15, 15, { frame })
      pen.boxFlat(x - 4, y + 17, 23, 2.4, shade(frame, -0.12))
    }
  pen.window(-4.5, (eaves + ridge) / 2 - 1, 9, 10, { frame, arched: true })
}

function paintEntrance(pen: Pen): void {
  const leaf = pen.part('door', '#8a4f30')
  pen.boxFlat(-10, -27, 20, 27, '#fbf5e8', 1)
  const door = pen.box(-7.6, -24.6, 15.2, 24.6, leaf, 0.8)
  pen.clip(door, () => {
    for (const [x, y, height] of triples([-5.6, -22, 8, 0.8, -22, 8, -5.6, -11.5, 9, 0.8, -11.5, 9])) {
      pen.boxFlat(x, y, 4.8, height, shade(leaf, -0.22), 0.5)
      pen.boxFlat(x + 0.6, y + 0.7, 4.2, height - 0.7, shade(leaf, 0.1), 0.5)
    }
  })
  pen.ovalFlat(5.8, -12.4, 1, 1, '#f2d06a')
  pen.poly([-14, -27, 0, -33, 14, -27, 14, -25.4, -14, -25.4], pen.part('roof', '#b5523c'), 1)
  pen.box(-12, -2.4, 24, 2.4, '#cfc6b8')
}
