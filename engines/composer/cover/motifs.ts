/** The motifs of covers: abstract pictures, each of which suits some styles. Some are drawn from
 *  the notes of the piece. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../random.ts'
import type { Score } from '../score.ts'
import type { Palette } from './palette.ts'

interface CoverDrawing {
  context: SKRSContext2D
  /** Side of the cover in pixels. */
  size: number
  palette: Palette
  score: Score
  random: Random
}

type Motif = (drawing: CoverDrawing) => void

const motifsOf: Readonly<Record<string, readonly Motif[]>> = {
  pop: [rings, waves, tiles],
  rock: [rays, waves],
  metal: [rays],
  country: [hills, sun],
  folk: [hills],
  jazz: [tiles, tune],
  blues: [tune, waves],
  soul: [rings, waves],
  funk: [rings, rays, tiles],
  reggae: [sun],
  bossa: [waves, brush],
  latin: [rays, tiles],
  house: [rings, tiles],
  techno: [bars, tiles],
  'hip-hop': [tiles],
  'lo-fi': [tiles, sun],
  ambient: [waves, rings],
  synthwave: [sun],
  'drum and bass': [bars, rays],
  chiptune: [pixels],
  classical: [tune, brush],
  cinematic: [hills, rays],
  waltz: [tune, rings],
  chinese: [brush],
}

export function drawMotif(style: string, drawing: CoverDrawing): void {
  drawing.random.pick(motifsOf[style] ?? [rings])(drawing)
}

/** Returns the sung notes if there are more than eight; else the notes of the lead track; for a
 *  piece without a lead track, those of the last track that is not a drum track. */
function tuneNotes({ tracks, sections }: Score) {
  const sung = sections.flatMap(({ lines }) => lines.flatMap(({ syllables }) => syllables.map(({ note }) => note)))
  if (sung.length > 8) return sung
  const lead = tracks.find(({ bus }) => bus === 'lead') ?? tracks.findLast(({ isDrums }) => !isDrums)
  return lead?.notes ?? []
}

function rings({ context, size, palette, random }: CoverDrawing): void {
  const x = size * random.between(0.35, 0.68)
  const y = size * random.between(0.32, 0.5)
  const count = 5 + random.index(6)
  for (let ring = count; ring > 0; ring--) {
    context.beginPath()
    context.arc(x, y, (size * 0.42 * ring) / count, 0, 2 * Math.PI)
    context.fillStyle = palette.shapes[ring % palette.shapes.length] ?? ''
    context.globalAlpha = 0.85
    context.fill()
  }
  context.globalAlpha = 1
}

function sun({ context, size, palette, random }: CoverDrawing): void {
  const x = size * random.between(0.4, 0.6)
  const y = size * 0.46
  const radius = size * random.between(0.22, 0.3)
  const light = context.createLinearGradient(0, y - radius, 0, y + radius)
  light.addColorStop(0, palette.shapes[3] ?? '')
  light.addColorStop(1, palette.shapes[0] ?? '')
  context.save()
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.clip()
  context.fillStyle = light
  // Draws slits across the sun; towards the bottom, they are farther apart.
  let top = y - radius
  for (let slit = 0; slit < 9; slit++) {
    const gap = slit * size * 0.0028
    const height = radius * 0.24
    context.fillRect(x - radius, top + gap, 2 * radius, height)
    top += height + gap
  }
  context.restore()
  band({ context, size, palette, random }, { y: y + radius * 0.72, height: size * 0.05, colour: palette.shapes[2] ?? '', roughness: 0.6 })
}

function hills({ context, size, palette, random }: Omit<CoverDrawing, 'score'>): void {
  context.fillStyle = palette.shapes[3] ?? ''
  context.beginPath()
  context.arc(size * random.between(0.2, 0.8), size * 0.25, size * random.between(0.07, 0.12), 0, 2 * Math.PI)
  context.fill()
  for (let row = 0; row < 4; row++) {
    context.globalAlpha = 0.55 + row * 0.15
    band(
      { context, size, palette, random },
      {
        y: size * (0.4 + row * 0.1),
        height: size * (0.12 - row * 0.015),
        colour: palette.shapes[[3, 0, 1, 2][row] ?? 0] ?? '',
        roughness: 1,
      },
    )
  }
  context.globalAlpha = 1
}

/** Draws a wavy line and fills the area below it. */
function band(
  { context, size, random }: Omit<CoverDrawing, 'score'>,
  { y, height, colour, roughness }: { y: number; height: number; colour: string; roughness: number },
): void {
  const waves = Array.from({ length: 4 }, (_, index) => ({
    turns: random.between(0.6, 1.4) * (index + 1),
    phase: random.next() * 7,
    part: 1 / (index + 1.2),
  }))
  context.fillStyle = colour
  context.beginPath()
  context.moveTo(0, size)
  for (let x = 0; x <= size; x += 8) {
    const sum = waves.reduce((total, { turns, phase, part }) => total + part * Math.sin((2 * Math.PI * turns * x) / size + phase), 0)
    context.lineTo(x, y + sum * height * 0.5 * roughness)
  }
  context.lineTo(size, size)
  context.fill()
}

/** Draws the notes of the tune as dots of different sizes over five wavy staff lines. */
function tune({ context, size, palette, score }: CoverDrawing): void {
  const notes = tuneNotes(score).slice(0, 48)
  const pitches = notes.map(({ pitch }) => pitch)
  const [low, high] = [Math.min(...pitches), Math.max(...pitches, Math.min(...pitches) + 1)]
  const first = notes[0]?.beat ?? 0
  const end = (notes.at(-1)?.beat ?? 1) + 1
  const place = (note: { beat: number; pitch: number }) => ({
    x: size * (0.08 + (0.84 * (note.beat - first)) / (end - first)),
    y: size * (0.6 - (0.44 * (note.pitch - low)) / (high - low)),
  })
  context.lineWidth = size * 0.004
  context.strokeStyle = palette.shapes[2] ?? ''
  for (let row = 0; row < 5; row++) {
    const y = size * (0.2 + row * 0.09)
    context.globalAlpha = 0.5
    context.beginPath()
    context.moveTo(0, y)
    context.bezierCurveTo(size * 0.3, y - size * 0.05, size * 0.7, y + size * 0.05, size, y)
    context.stroke()
  }
  context.globalAlpha = 0.95
  notes.forEach((note, index) => {
    const { x, y } = place(note)
    context.fillStyle = palette.shapes[index % 2] ?? ''
    context.beginPath()
    context.arc(x, y, size * (0.012 + 0.02 * Math.min(2, note.beats)), 0, 2 * Math.PI)
    context.fill()
  })
  context.globalAlpha = 1
}

/** Divides the piece into 36 parts of equal length, and draws one bar for each part. The more notes
 *  a part has and the louder they are, the higher is its bar. */
function bars({ context, size, palette, score }: CoverDrawing): void {
  const count = 36
  const weights = new Array<number>(count).fill(0)
  for (const { notes } of score.tracks) {
    for (const { beat, velocity } of notes) {
      const index = Math.min(count - 1, Math.floor((beat / score.beats) * count))
      weights[index] = (weights[index] ?? 0) + velocity
    }
  }
  const most = Math.max(...weights, 1)
  const width = size / (count + 4)
  weights.forEach((weight, index) => {
    const height = size * (0.03 + 0.5 * (weight / most) ** 1.5 * (0.6 + 0.4 * Math.sin(index * 1.7) ** 2))
    context.fillStyle = palette.shapes[index % 3] ?? ''
    context.fillRect((index + 2) * width, size * 0.4 - height / 2, width * 0.62, height)
  })
}

function tiles({ context, size, palette, random }: CoverDrawing): void {
  const count = 4 + random.index(3)
  const side = size / count
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      context.fillStyle = random.pick(palette.shapes)
      context.globalAlpha = random.between(0.55, 0.95)
      context.beginPath()
      const [x, y] = [column * side, row * side]
      if (random.chance(0.2)) continue
      switch (random.index(4)) {
        case 0:
          context.rect(x, y, side, side)
          break
        case 1:
          context.arc(x + side / 2, y + side / 2, side * 0.42, 0, 2 * Math.PI)
          break
        case 2:
          context.moveTo(x, y)
          context.arc(x, y, side, 0, Math.PI / 2)
          break
        default:
          context.moveTo(x, y + side)
          context.lineTo(x + side, y + side)
          context.lineTo(x + side, y)
      }
      context.fill()
    }
  }
  context.globalAlpha = 1
}

function rays({ context, size, palette, random }: CoverDrawing): void {
  const x = size * random.between(0.3, 0.7)
  const y = size * random.between(0.3, 0.45)
  const count = 14 + random.index(12)
  for (let ray = 0; ray < count; ray++) {
    const angle = (2 * Math.PI * ray) / count + random.wobble() * 0.06
    const width = (Math.PI / count) * random.between(0.35, 0.8)
    context.fillStyle = palette.shapes[ray % 3] ?? ''
    context.globalAlpha = 0.8
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + Math.cos(angle - width) * size * 1.5, y + Math.sin(angle - width) * size * 1.5)
    context.lineTo(x + Math.cos(angle + width) * size * 1.5, y + Math.sin(angle + width) * size * 1.5)
    context.fill()
  }
  context.globalAlpha = 1
  context.fillStyle = palette.shapes[3] ?? ''
  context.beginPath()
  context.arc(x, y, size * 0.11, 0, 2 * Math.PI)
  context.fill()
}

/** Draws a symmetrical pixel-art creature. */
function pixels({ context, size, palette, random }: CoverDrawing): void {
  const half = 5
  const rows = 9
  const side = size / 16
  const left = size / 2 - half * side
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < half; column++) {
      const isFilled = random.chance(0.35 + 0.45 * (column / half))
      if (!isFilled) continue
      context.fillStyle = palette.shapes[row < 2 ? 1 : random.chance(0.85) ? 0 : 3] ?? ''
      context.fillRect(left + column * side, size * 0.12 + row * side, side + 1, side + 1)
      context.fillRect(left + (2 * half - 1 - column) * side, size * 0.12 + row * side, side + 1, side + 1)
    }
  }
  context.fillStyle = palette.shapes[2] ?? ''
  for (let star = 0; star < 24; star++)
    context.fillRect(Math.floor(random.next() * 16) * side, Math.floor(random.next() * 11) * side, side * 0.25, side * 0.25)
}

function waves({ context, size, palette, random }: CoverDrawing): void {
  const turns = random.between(1.2, 3)
  for (let line = 0; line < 22; line++) {
    context.strokeStyle = palette.shapes[line % 3] ?? ''
    context.lineWidth = size * (0.004 + 0.006 * (line % 4))
    context.globalAlpha = 0.9
    context.beginPath()
    for (let x = 0; x <= size; x += 6) {
      const swell = Math.sin((Math.PI * x) / size) ** 2
      const y = size * (0.12 + line * 0.024) + size * 0.08 * swell * Math.sin((2 * Math.PI * turns * x) / size + line * 0.32)
      if (x === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    }
    context.stroke()
  }
  context.globalAlpha = 1
}

/** Draws strokes of a wide brush and a red seal. */
function brush({ context, size, palette, random }: CoverDrawing): void {
  context.lineCap = 'round'
  for (let stroke = 0; stroke < 4; stroke++) {
    const y = size * random.between(0.15, 0.58)
    const from = size * random.between(0.02, 0.3)
    const to = size * random.between(0.6, 0.98)
    const bow = size * random.between(-0.22, 0.22)
    for (let hair = 0; hair < 46; hair++) {
      context.strokeStyle = palette.shapes[stroke % 3] ?? ''
      context.globalAlpha = random.between(0.08, 0.5)
      context.lineWidth = size * random.between(0.001, 0.006)
      const offset = (hair - 23) * size * 0.0018
      context.beginPath()
      context.moveTo(from + random.wobble() * size * 0.03, y + offset)
      context.quadraticCurveTo((from + to) / 2, y + bow + offset * 1.4, to + random.wobble() * size * 0.05, y + offset * 0.6)
      context.stroke()
    }
  }
  context.globalAlpha = 0.95
  context.fillStyle = palette.shapes[1] ?? ''
  context.fillRect(size * 0.82, size * 0.1, size * 0.09, size * 0.09)
  context.globalAlpha = 1
}
