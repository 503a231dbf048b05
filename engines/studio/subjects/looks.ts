import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Subject } from '../scene.ts'
import { recolour } from './recolour.ts'

/** Colours of materials, used when the prompt names no colour. */
const materialColours: Record<string, string> = {
  wooden: '#a8743f',
  stone: '#9c9a96',
  metal: '#a9b4c1',
  golden: '#e2b23a',
  glass: '#cfe8f2',
  brick: '#b0634a',
  rusty: '#a4562f',
  paper: '#faf6ec',
  straw: '#e0bd62',
}

/** A copy of a sprite with the patterns and materials of `subject.looks` (striped, spotted, wooden, golden, glass, ...); the sprite itself when none of them shows. */
export function applyLooks(sprite: Canvas, subject: Subject): Canvas {
  const looks = subject.looks.filter(look => overlays[look] !== undefined || materialColours[look] !== undefined)
  if (looks.length === 0 || subject.art === 'rig:person') return sprite
  const canvas = createCanvas(sprite.width, sprite.height)
  const context = canvas.getContext('2d')
  context.drawImage(sprite, 0, 0)
  for (const look of looks) {
    // Tables, doors and barns are drawn in their own wood already.
    if (look === 'wooden' && subject.art.startsWith('drawn:')) continue
    const hex = materialColours[look]
    if (hex && !subject.colour) tint(context, hex)
    const overlay = overlays[look]
    if (!overlay) continue
    context.save()
    context.globalCompositeOperation = 'source-atop'
    overlay(context, Math.min(canvas.width, canvas.height))
    context.restore()
  }
  if (looks.includes('glass')) thin(context, 0.62)
  return canvas
}

function tint(context: SKRSContext2D, hex: string): void {
  const { width, height } = context.canvas
  const image = context.getImageData(0, 0, width, height)
  recolour(image.data, { hex, name: '' })
  context.putImageData(image, 0, 0)
}

/** Makes the whole drawing see-through. */
function thin(context: SKRSContext2D, alpha: number): void {
  context.save()
  context.globalCompositeOperation = 'destination-in'
  context.fillStyle = `rgba(0,0,0,${alpha})`
  context.fillRect(0, 0, context.canvas.width, context.canvas.height)
  context.restore()
}

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
  wooden: (context, unit) => {
    const { width, height } = context.canvas
    context.strokeStyle = 'rgba(70,38,14,0.3)'
    context.lineWidth = Math.max(0.6, unit * 0.007)
    for (let y = 0; y < height; y += unit * 0.045) {
      context.beginPath()
      for (let i = 0; i <= 12; i++) context.lineTo((width * i) / 12, y + Math.sin(i * 0.9 + y / (unit * 0.06)) * unit * 0.011)
      context.stroke()
    }
  },
  brick: (context, unit) => bands(context, unit * 0.1, unit * 0.012, 'rgba(240,220,200,0.6)', 0),
  metal: gloss,
  golden: gloss,
  shiny: gloss,
  ceramic: gloss,
  plastic: gloss,
  glass: gloss,
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

/** Two light bands across and a dark one between them, as on polished surfaces. */
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
