import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { pairs } from '../pairs.ts'
import { css, mix, rgb, shift } from './colour.ts'
import { farTone } from './far-tone.ts'
import { greensOf } from './season.ts'
import {
  type Cell,
  type Corner,
  cells,
  fall,
  fillPolygon,
  fillRects,
  frontPlane,
  outline,
  type Plane,
  placed,
  placedCells,
  type Spot,
} from './solid.ts'
import type { Stage } from './stage.ts'

interface Cottage {
  x: number
  z: number
  width: number
  height: number
  base: number
  wall: Rgb
  roof: Rgb
  snow: boolean
}

interface CottageFrame {
  plane: Plane
  w: number
  h: number
  rise: number
  z: number
  tone: (c: Rgb, amount: number) => Rgb
}

/** Draws a cottage with gables: a tiled or snowy roof, plaster walls above a stone base,
 *  shutters, window boxes and a chimney. Half of the cottages also have timber beams. */
export function drawCottage(context: SKRSContext2D, stage: Stage, at: Cottage, random: Random): void {
  const tone = (c: Rgb, amount: number) => farTone(stage, c, amount, at.z, 420)
  const plane: Plane = (u, v) => frontPlane(stage.view, at.z)(at.x + u, at.base + v)
  const w = at.width / 2
  const frame: CottageFrame = { plane, w, h: at.height, rise: at.height * random.between(0.66, 0.95), z: at.z, tone }
  const flip = at.x > 0 ? -1 : 1
  cottageSide(context, stage, at, frame, flip)
  const front = tone(at.wall, 0.66)
  fillPolygon(
    context,
    plane,
    pairs([-w, 0, w, 0, w, frame.h, 0, frame.h + frame.rise * 0.94, -w, frame.h]),
    fall(context, plane, [-w, 0, w, frame.h + frame.rise], shift(front, 0.1), shift(front, -0.16)),
  )
  fillRects(context, plane, [[-w, 0, w, frame.h * 0.16]], css(tone(rgb('#8d8478'), 0.5)))
  if (random.next() < 0.5) timber(context, frame)
  cottageOpenings(context, stage, frame, random)
  gableRoof(context, at, frame)
}

/** Outlines of the front of the house, in units of its size: across, 1 is half the width; upwards,
 *  0 to 1 is the wall and 1 to 2 the gable. */
const gable = {
  shadow: outline('-1 .86, 0 1.88, 1 .86, 1 .78, 0 1.76, -1 .78'),
  left: outline('-1.18 .87, 0 2, 0 2.12, -1.18 .99'),
  right: outline('1.18 .87, 0 2, 0 2.12, 1.18 .99'),
  chimney: outline('.3 1.5, .54 1.5, .54 2.22, .3 2.22'),
  cap: outline('.27 2.14, .57 2.14, .57 2.26, .27 2.26'),
  beams: [
    outline('-1 .96, 1 .96, 1 1.03, -1 1.03'),
    outline('-1 .16, -.92 .16, -.92 1, -1 1'),
    outline('.92 .16, 1 .16, 1 1, .92 1'),
    outline('-.03 1.5, .03 1.5, .03 1.92, -.03 1.92'),
    outline('-.6 1, -.54 1, -.1 1.6, -.16 1.6'),
    outline('.6 1, .54 1, .1 1.6, .16 1.6'),
  ],
}

/** Converts corners from the units of `gable` to metres: heights up to 1 are shares of the wall's
 *  height, the part above 1 is a share of the roof's height. */
function onGable(frame: CottageFrame, corners: readonly Corner[]): Corner[] {
  return corners.map(([u, v]) => [u * frame.w, v <= 1 ? v * frame.h : frame.h + (v - 1) * frame.rise])
}

/** Draws the long side of the house that is turned to the middle of the picture, and the half of
 *  the roof above it. */
function cottageSide(context: SKRSContext2D, stage: Stage, at: Cottage, frame: CottageFrame, flip: number): void {
  const { plane, w, h, tone } = frame
  const deep = at.width * 0.46 * flip
  const edge = w * flip
  const isLit = Math.sign(deep) === Math.sign(stage.sun.side)
  const wall = tone(at.wall, isLit ? 0.9 : 0.2)
  const place: Spot = { u: edge, v: 0, width: deep, height: h }
  fillPolygon(context, plane, placed(sideWall, place), fall(context, plane, [edge, 0, edge, h], shift(wall, -0.2), wall))
  const pane = stage.palette.isDim ? rgb('#ffcf78') : tone(mix(rgb('#51687c'), stage.palette.sky[2], 0.4), 0.8)
  fillPolygon(context, plane, placed(sideWindow, place), css(pane))
  const slope = tone(at.snow ? rgb('#eef3fb') : at.roof, isLit ? 0.95 : 0.34)
  roofSide(context, frame, { edge: edge * 1.14, deep: deep * 1.08, slope, tiles: !at.snow && at.z < 90 })
}
const sideWall = outline('0 0, 1 .04, 1 1, 0 1')
const sideWindow = outline('.34 .37, .66 .38, .66 .74, .34 .75')

function roofSide(context: SKRSContext2D, frame: CottageFrame, roof: { edge: number; deep: number; slope: Rgb; tiles: boolean }): void {
  const { plane, h, rise } = frame
  const { edge, deep, slope } = roof
  const eaves = h * 0.9
  const ridge = h + rise
  const along = (t: number): Corner => [edge * (1 - t), eaves + (ridge - eaves) * t]
  const across = (t: number, drop: number): Corner => [edge * (1 - t) + deep, eaves + (ridge - eaves) * t - drop]
  const corners = [along(0), along(1), across(1, 0.02 * h), across(0, 0)]
  fillPolygon(context, plane, corners, fall(context, plane, [0, eaves, 0, ridge], shift(slope, 0.08), shift(slope, -0.12)))
  if (!roof.tiles) return
  const seam = css(shift(slope, -0.32), 0.5)
  for (let i = 1; i < 9; i++) {
    const t = i / 9
    const [u0, v0] = along(t)
    const [u1, v1] = across(t, 0.02)
    fillPolygon(context, plane, pairs([u0, v0, u1, v1, u1, v1 - 0.05, u0, v0 - 0.05]), seam)
  }
}

function gableRoof(context: SKRSContext2D, at: Cottage, frame: CottageFrame): void {
  const { plane, tone } = frame
  const snow = rgb('#f4f8fe')
  const edge = at.snow ? snow : shift(at.roof, -0.12)
  const fill = (corners: readonly Corner[], style: string) => fillPolygon(context, plane, onGable(frame, corners), style)
  fill(gable.shadow, 'rgba(20,14,16,0.2)')
  fill(gable.chimney, css(tone(rgb('#96604c'), 0.5)))
  fill(gable.cap, css(tone(at.snow ? snow : rgb('#7a4c3c'), 0.6)))
  fill(gable.left, css(tone(edge, 0.9)))
  fill(gable.right, css(tone(edge, 0.6)))
}

function timber(context: SKRSContext2D, frame: CottageFrame): void {
  for (const beam of gable.beams) fillPolygon(context, frame.plane, onGable(frame, beam), css(frame.tone(rgb('#5c4030'), 0.5)))
}

/** Windows, shutters and door in units of the house's size: across, 1 is half the width; upwards, 1
 *  is the height of the wall. */
const openings = {
  panes: cells('-.74 .38 -.34 .76, .34 .38 .74 .76'),
  frames: cells('-.79 .35 -.29 .79, .29 .35 .79 .79, -.2 0 .2 .7'),
  bars: cells('-.555 .38 -.525 .76, .525 .38 .555 .76, -.74 .56 -.34 .58, .34 .56 .74 .58'),
  shutters: cells('-.91 .38 -.79 .76, -.29 .38 -.17 .76, .17 .38 .29 .76, .79 .38 .91 .76'),
  boxes: cells('-.78 .28 -.3 .35, .3 .28 .78 .35'),
  door: cells('-.16 0 .16 .66'),
  light: cells('-.1 .42 .1 .6'),
}

function cottageOpenings(context: SKRSContext2D, stage: Stage, frame: CottageFrame, random: Random): void {
  const { plane, w, h, rise, tone } = frame
  const isLit = stage.palette.isDim || random.next() < 0.08
  const glass = css(isLit ? rgb('#ffcf78') : tone(mix(rgb('#51687c'), stage.palette.sky[2], 0.4), 0.8))
  const white = css(tone(rgb('#f6f0e4'), 0.85))
  const accent = rgb(random.pick(['#7b4a2d', '#3f6f5c', '#9a3f38', '#33587e', '#6f7a3c']))
  const at: Spot = { u: 0, v: 0, width: w, height: h }
  const fill = (list: readonly Cell[], style: string) => fillRects(context, plane, placedCells(list, at), style)
  fill(openings.frames, white)
  fill(openings.panes, glass)
  fill(openings.bars, white)
  fill(openings.shutters, css(tone(accent, 0.65)))
  fill(openings.door, css(tone(accent, 0.6)))
  fill(openings.light, glass)
  fillRects(context, plane, [[-w * 0.23, h + rise * 0.07, w * 0.23, h + rise * 0.46]], white)
  fillRects(context, plane, [[-w * 0.18, h + rise * 0.1, w * 0.18, h + rise * 0.42]], glass)
  fillRects(context, plane, [[-w * 0.015, h + rise * 0.1, w * 0.015, h + rise * 0.42]], white)
  if (frame.z < 70 && greensOf(stage).snow === 0) windowBoxes(context, stage, frame, random)
}

function windowBoxes(context: SKRSContext2D, stage: Stage, frame: CottageFrame, random: Random): void {
  const { plane, w, h, tone } = frame
  fillRects(context, plane, placedCells(openings.boxes, { u: 0, v: 0, width: w, height: h }), css(tone(rgb('#7a5238'), 0.6)))
  const size = (w * 0.045 * stage.view.focal) / frame.z
  for (const [left, , right] of openings.boxes) {
    for (let i = 0; i < 14; i++) {
      const p = plane(w * (left + (right - left) * random.next()), h * (0.35 + 0.05 * random.next()))
      context.fillStyle = css(tone(rgb(random.pick(['#d9484a', '#f2a0b8', '#f4d04a', '#5f8f43', '#6fa04a'])), 0.85))
      context.fillRect(p.x - size / 2, p.y - size / 2, size, size)
    }
  }
}
