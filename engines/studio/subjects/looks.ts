import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Subject } from '../scene.ts'
import { studioArt } from './drawable.ts'
import { expressionOf, withFace } from './expressions.ts'
import { type Material, materials } from './materials.ts'
import { type Cut, takeApart } from './pieces.ts'
import { cover, coverWith } from './surface.ts'

/** Returns a copy of a drawing with the patterns, the material, the facial expression and the
 *  cuts in `subject.looks` (striped, wooden, golden, made of petals, halved ...); the drawing
 *  itself when none of them is visible. A drawing with a facial expression gets no patterns and
 *  no cuts. Drawings of people do not change, except statues. `tile` is the drawing of the
 *  material when it is a thing (`made of noto:tulip`). */
export function applyLooks(sprite: Canvas, subject: Subject, tile?: Canvas): Canvas {
  if (subject.art === 'rig:person' && !subject.looks.includes('statue')) return sprite
  const material = subject.looks.map(look => materialFor(look, subject)).find(found => found !== undefined)
  const covered = tile
    ? coverWith(sprite, tile)
    : material
      ? cover(sprite, { material, hex: subject.colour?.hex ?? material.hex, isPartial: isBuilt(subject) })
      : sprite
  const expression = hasFace(subject) ? undefined : expressionOf(subject.looks)
  if (expression) return withFace(covered, expression)
  const patterns = subject.looks.flatMap(look => overlays[look] ?? [])
  const cut = cutOf(subject)
  if (patterns.length === 0) return cut ? takeApart(covered, cut, isOpen(subject)) : covered
  const canvas = createCanvas(sprite.width, sprite.height)
  const context = canvas.getContext('2d')
  context.drawImage(covered, 0, 0)
  context.globalCompositeOperation = 'source-atop'
  for (const overlay of patterns) overlay(context, Math.min(canvas.width, canvas.height))
  return cut ? takeApart(canvas, cut, isOpen(subject)) : canvas
}

/** True for beings, and for things whose drawing already has a face, such as a snowman or a
 *  robot. */
function hasFace({ art, person }: Subject): boolean {
  const category = studioArt().categoryOf(art)
  const isBeing = beings.has(category) || category === 'creature' || category === 'person'
  return (
    isBeing ||
    person !== undefined ||
    /face|emoji|smiley|rig:|snowman|robot|doll|jack-o|gingerbread|teddy|mask|skull|statue|bust|bear/.test(art)
  )
}

/** True for drawings that already show the inside of a thing, such as a cut watermelon or a
 *  pizza. */
function isOpen({ art }: Subject): boolean {
  return /watermelon|avocado|kiwi|pizza|cake|pie|cheese|bread|sandwich|toast|sushi|papaya/.test(art)
}

/** Returns in which way the prompt divides a thing into pieces; undefined for whole things, for
 *  beings, for drawings that already show slices, and for broken buildings and vehicles, which
 *  stay in one piece. */
function cutOf({ looks, art, noun }: Subject): Cut | undefined {
  const category = studioArt().categoryOf(art)
  if (beings.has(category) || category === 'creature' || category === 'person' || /slice/.test(`${art} ${noun}`)) return undefined
  const isFood = /^(food|fruit|vegetable|dessert|dish)$/.test(category)
  if (isFood && looks.includes('bitten')) return 'bitten'
  if (isFood && looks.includes('slice missing')) return 'slice missing'
  if (looks.includes('halved')) return isFood ? 'halved' : 'broken'
  if (looks.includes('sliced')) return isFood ? 'sliced' : undefined
  return looks.includes('broken') && !/building|landmark|structure|vehicle/.test(category) ? 'broken' : undefined
}

/** Looks that are a material on a thing, but describe the natural coat of an animal. */
const worn = new Set(['furry', 'leather'])
const beings = new Set(['animal', 'bird', 'fish', 'insect'])

function materialFor(look: string, subject: Subject): Material | undefined {
  const material = materials[look]
  if (!material || !worn.has(look)) return material
  return beings.has(studioArt().categoryOf(subject.art)) ? undefined : material
}

/** True for buildings and other structures of at least 3 metres that have a drawing function.
 *  Only their main colour takes the material; windows and roof keep their colours. */
function isBuilt({ art, heightMetres }: Subject): boolean {
  return art.startsWith('drawn:') && heightMetres >= 3 && /building|landmark|structure/.test(studioArt().categoryOf(art))
}

/** Returns the key of the drawing of which a subject is composed (the chips in "a castle made of
 *  tortilla chips"); undefined for subjects of ordinary materials. */
export function tileKey(subject: Subject): string | undefined {
  return subject.looks.find(look => look.startsWith(madeOf))?.slice(madeOf.length)
}

const madeOf = 'made of '

type Overlay = (context: SKRSContext2D, unit: number) => void

const overlays: Record<string, Overlay> = {
  striped: (context, unit) => bands(context, unit * 0.11, unit * 0.055, 'rgba(255,255,255,0.55)', 0.5),
  checkered: (context, unit) => {
    bands(context, unit * 0.16, unit * 0.07, 'rgba(255,255,255,0.38)', 0)
    bands(context, unit * 0.16, unit * 0.07, 'rgba(255,255,255,0.38)', Math.PI / 2)
  },
  spotted: (context, unit) => {
    const step = unit * 0.17
    context.fillStyle = 'rgba(255,255,255,0.6)'
    for (let row = 0; row * step < context.canvas.height + step; row++) {
      for (let column = 0; column * step < context.canvas.width + step; column++) {
        context.beginPath()
        context.arc(column * step + (row % 2) * step * 0.5, row * step * 0.9, step * 0.22, 0, Math.PI * 2)
        context.fill()
      }
    }
  },
  shiny: gloss,
}

function bands(context: SKRSContext2D, step: number, width: number, colour: string, turn: number): void {
  const { width: w, height: h } = context.canvas
  const reach = Math.hypot(w, h)
  context.save()
  context.translate(w / 2, h / 2)
  context.rotate(turn)
  context.fillStyle = colour
  for (let y = -reach; y < reach; y += step) context.fillRect(-reach, y, reach * 2, width)
  context.restore()
}

/** Draws two light bands across the thing and a dark one between them, as on a polished surface. */
function gloss(context: SKRSContext2D): void {
  const { width, height } = context.canvas
  const gradient = context.createLinearGradient(0, 0, width, height)
  const stops: [number, string][] = [
    [0, 'rgba(255,255,255,0.1)'],
    [0.26, 'rgba(255,255,255,0.62)'],
    [0.36, 'rgba(255,255,255,0.05)'],
    [0.55, 'rgba(40,20,60,0.28)'],
    [0.72, 'rgba(255,255,255,0.3)'],
    [1, 'rgba(40,20,60,0.22)'],
  ]
  for (const [at, colour] of stops) gradient.addColorStop(at, colour)
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
}
