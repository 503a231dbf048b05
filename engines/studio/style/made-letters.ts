import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { triples } from '../pairs.ts'
import { createRandom } from '../random.ts'
import type { LetterMake } from '../scene.ts'

/** A text broken into lines, and the position of its middle, in pixels. */
interface Setting {
  lines: readonly string[]
  family: string
  size: number
  lineHeight: number
  x: number
  y: number
  /** The colour that the prompt requests; absent when it names none. */
  colour?: string
}

/** Draws letters in a material (neon, chalk, carved ...). The letters extend beyond the text's box
 *  by up to half the font size. */
export function drawMadeLetters(context: SKRSContext2D, setting: Setting, make: LetterMake): void {
  context.save()
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = context.lineCap = 'round'
  painters[make](context, setting)
  context.restore()
}

const painters: Record<LetterMake, (context: SKRSContext2D, setting: Setting) => void> = {
  neon,
  chalk,
  graffiti,
  carved,
  embroidered,
  flowers,
  balloons,
}

function weigh(context: SKRSContext2D, { size, family }: Setting, weight: number): void {
  context.font = `${weight} ${size}px ${family}`
  context.fontVariationSettings = `'wght' ${weight}`
}

function eachLine({ lines, lineHeight, x, y }: Setting, draw: (line: string, x: number, y: number) => void): void {
  lines.forEach((line, k) => {
    draw(line, x, y + (k - (lines.length - 1) / 2) * lineHeight)
  })
}

/** Draws neon tubes: a wide glow, the coloured gas, and a nearly white core. */
function neon(context: SKRSContext2D, setting: Setting): void {
  const { size } = setting
  const colour = setting.colour ?? '#ff3d8f'
  weigh(context, setting, 200)
  eachLine(setting, (line, x, y) => {
    context.shadowColor = colour
    context.strokeStyle = colour
    for (const [blur, width, alpha] of triples([0.5, 0.1, 0.9, 0.24, 0.1, 0.9, 0.08, 0.085, 1])) {
      context.globalAlpha = alpha
      context.shadowBlur = size * blur
      context.lineWidth = size * width
      context.strokeText(line, x, y)
    }
    context.shadowBlur = size * 0.03
    context.strokeStyle = '#fff4f8'
    context.lineWidth = size * 0.03
    context.strokeText(line, x, y)
  })
}

/** Draws the letters on a separate canvas, calls `paint` to draw inside their outline only, and
 *  copies the result to `context`. */
function filled(context: SKRSContext2D, setting: Setting, weight: number, paint: (inside: SKRSContext2D) => void): void {
  const sheet = createCanvas(context.canvas.width, context.canvas.height)
  const inside = sheet.getContext('2d')
  inside.textAlign = 'center'
  inside.textBaseline = 'middle'
  inside.lineJoin = inside.lineCap = 'round'
  weigh(inside, setting, weight)
  inside.fillStyle = '#000000'
  eachLine(setting, (line, x, y) => {
    inside.fillText(line, x, y)
  })
  inside.globalCompositeOperation = 'source-atop'
  paint(inside)
  context.drawImage(sheet, 0, 0)
}

/** Returns a box around the letters, with a margin, in pixels. */
function areaOf({ lines, size, lineHeight, x, y }: Setting): { left: number; top: number; right: number; bottom: number } {
  const [wide, high] = [Math.max(...lines.map(line => line.length)) * size * 0.62 + size, (lines.length * lineHeight) / 2 + size * 0.3]
  return { left: x - wide / 2, top: y - high, right: x + wide / 2, bottom: y + high }
}

function chalk(context: SKRSContext2D, setting: Setting): void {
  const { size } = setting
  const random = createRandom(`${setting.lines.join(' ')}/chalk`)
  const area = areaOf(setting)
  filled(context, setting, 500, inside => {
    inside.fillStyle = setting.colour ?? '#f3f1e6'
    inside.fillRect(0, 0, inside.canvas.width, inside.canvas.height)
    inside.globalCompositeOperation = 'destination-out'
    const count = Math.min(60_000, ((area.right - area.left) * (area.bottom - area.top)) / (size * size * 0.0018))
    for (let k = 0; k < count; k++) {
      inside.globalAlpha = random.between(0.25, 0.8)
      inside.fillRect(
        random.between(area.left, area.right),
        random.between(area.top, area.bottom),
        size * 0.03 * random.next(),
        size * 0.012,
      )
    }
  })
}

const sprays = [
  ['#ffe14d', '#ff4f7b'],
  ['#7df0ff', '#3a62ff'],
  ['#c6ff5a', '#12a36b'],
  ['#ffb04a', '#c92fd0'],
] as const

/** Draws graffiti: fat letters that lean and overlap, filled with a gradient of two colours, with
 *  two outlines and drips of paint. */
function graffiti(context: SKRSContext2D, setting: Setting): void {
  const { size } = setting
  const random = createRandom(`${setting.lines.join(' ')}/graffiti`)
  const [light, deep] = setting.colour ? ['#ffffff', setting.colour] : random.pick(sprays)
  weigh(context, setting, 900)
  eachLine(setting, (line, x, y) => {
    const letters = [...line]
    const widths = letters.map(letter => context.measureText(letter).width * 0.97)
    let left = x - widths.reduce((sum, width) => sum + width, 0) / 2
    const placed = letters.map((letter, k) => {
      const at = { letter, x: left + widths[k]! / 2, y: y + random.between(-0.05, 0.05) * size, turn: random.between(-0.12, 0.12) }
      left += widths[k]!
      return at
    })
    const fade = context.createLinearGradient(0, y - size * 0.4, 0, y + size * 0.4)
    fade.addColorStop(0, light)
    fade.addColorStop(1, deep)
    for (const layer of ['halo', 'outline', 'fill'] as const)
      for (const at of placed) {
        context.save()
        context.translate(at.x, at.y)
        context.rotate(at.turn)
        context.translate(-at.x, -at.y)
        context.strokeStyle = layer === 'halo' ? '#f8f6ff' : '#17131f'
        context.fillStyle = fade
        context.lineWidth = size * (layer === 'halo' ? 0.3 : 0.18)
        if (layer === 'fill') context.fillText(at.letter, at.x, at.y)
        else context.strokeText(at.letter, at.x, at.y)
        context.restore()
      }
    context.strokeStyle = deep
    for (const at of placed) {
      if (random.next() < 0.5 || at.letter === ' ') continue
      context.lineWidth = size * random.between(0.018, 0.03)
      context.beginPath()
      context.moveTo(at.x, at.y + size * 0.36)
      context.lineTo(at.x, at.y + size * random.between(0.48, 0.66))
      context.stroke()
    }
  })
}

/** Draws carved letters: dark inside, with the upper edge shaded and the lower edge lit. */
function carved(context: SKRSContext2D, setting: Setting): void {
  const off = setting.size * 0.022
  weigh(context, setting, 700)
  context.fillStyle = 'rgba(255,242,214,0.62)'
  eachLine(setting, (line, x, y) => context.fillText(line, x + off * 0.7, y + off))
  // The carving is drawn slightly transparent, so that the wood or stone of the background stays
  // visible in it.
  context.globalAlpha = 0.76
  filled(context, setting, 700, inside => {
    const { top, bottom } = areaOf(setting)
    const depth = inside.createLinearGradient(0, top, 0, bottom)
    depth.addColorStop(0, '#2a1a10')
    depth.addColorStop(1, '#5f4430')
    inside.fillStyle = setting.colour ?? depth
    inside.fillRect(0, 0, inside.canvas.width, inside.canvas.height)
    inside.strokeStyle = 'rgba(10,5,2,0.55)'
    inside.lineWidth = off * 2.2
    eachLine(setting, (line, x, y) => inside.strokeText(line, x + off * 0.6, y + off * 0.9))
  })
}

/** Draws embroidered letters in satin stitch: raised threads side by side, with a border of
 *  stitches. */
function embroidered(context: SKRSContext2D, setting: Setting): void {
  const { size } = setting
  const colour = setting.colour ?? '#b3263e'
  weigh(context, setting, 700)
  context.shadowColor = 'rgba(40,24,16,0.5)'
  context.shadowBlur = size * 0.04
  context.shadowOffsetY = size * 0.02
  context.fillStyle = context.createPattern(threads(Math.max(4, Math.round(size * 0.06)), colour), 'repeat')
  eachLine(setting, (line, x, y) => {
    context.fillText(line, x, y)
  })
  context.shadowColor = 'transparent'
  context.strokeStyle = colour
  context.lineWidth = size * 0.022
  context.setLineDash([size * 0.05, size * 0.03])
  eachLine(setting, (line, x, y) => {
    context.strokeText(line, x, y)
  })
}

/** Returns a tile of diagonal threads, each light on one side and dark on the other. */
function threads(pitch: number, colour: string): Canvas {
  const tile = createCanvas(pitch, pitch * 2)
  const pen = tile.getContext('2d')
  pen.fillStyle = colour
  pen.fillRect(0, 0, pitch, pitch * 2)
  pen.lineWidth = pitch * 0.3
  for (let k = -2; k < 4; k++)
    for (const [shift, tint] of [
      [0.18, 'rgba(255,255,255,0.34)'],
      [0.68, 'rgba(0,0,0,0.3)'],
    ] as const) {
      pen.strokeStyle = tint
      pen.beginPath()
      pen.moveTo((k + shift) * pitch, pitch * 2)
      pen.lineTo((k + shift + 1) * pitch, 0)
      pen.stroke()
    }
  return tile
}

const blossoms = ['#f25c8a', '#f7a8c4', '#ffd23f', '#ff7f50', '#b27be0', '#ffffff', '#e0405a'] as const

/** Draws the letters as rows of blossoms close together, with leaves behind the blossoms. */
function flowers(context: SKRSContext2D, setting: Setting): void {
  const { size } = setting
  const random = createRandom(`${setting.lines.join(' ')}/flowers`)
  const mask = createCanvas(context.canvas.width, context.canvas.height)
  filled(mask.getContext('2d'), setting, 800, () => {})
  const { data, width, height } = mask.getContext('2d').getImageData(0, 0, mask.width, mask.height)
  const spots: { x: number; y: number }[] = []
  const pitch = Math.max(3, size * 0.062)
  for (let y = 0; y < height; y += pitch)
    for (let x = 0; x < width; x += pitch) {
      const at = { x: x + random.between(0, pitch * 0.6), y: y + random.between(0, pitch * 0.6) }
      if ((data[(Math.min(height - 1, Math.round(at.y)) * width + Math.min(width - 1, Math.round(at.x))) * 4 + 3] ?? 0) > 100)
        spots.push(at)
    }
  for (const { x, y } of spots) leaf(context, { x, y, size: size * 0.075, turn: random.between(0, 6.28) })
  for (const { x, y } of spots)
    blossom(context, {
      x,
      y,
      size: size * random.between(0.036, 0.056),
      colour: setting.colour ?? random.pick(blossoms),
      turn: random.between(0, 6.28),
    })
}

function leaf(context: SKRSContext2D, { x, y, size, turn }: { x: number; y: number; size: number; turn: number }): void {
  context.fillStyle = turn > 3.14 ? '#3f8a4a' : '#2f6f3c'
  context.beginPath()
  context.ellipse(x + Math.cos(turn) * size * 0.5, y + Math.sin(turn) * size * 0.5, size * 0.62, size * 0.28, turn, 0, Math.PI * 2)
  context.fill()
}

function blossom(context: SKRSContext2D, spot: { x: number; y: number; size: number; colour: string; turn: number }): void {
  const { x, y, size, colour, turn } = spot
  context.fillStyle = colour
  context.strokeStyle = 'rgba(70,20,50,0.28)'
  context.lineWidth = size * 0.14
  for (let k = 0; k < 5; k++) {
    const angle = turn + (k / 5) * Math.PI * 2
    context.beginPath()
    context.ellipse(x + Math.cos(angle) * size * 0.62, y + Math.sin(angle) * size * 0.62, size * 0.6, size * 0.44, angle, 0, Math.PI * 2)
    context.fill()
    context.stroke()
  }
  context.fillStyle = colour === '#ffd23f' ? '#9c5a1e' : '#ffd85a'
  context.beginPath()
  context.arc(x, y, size * 0.34, 0, Math.PI * 2)
  context.fill()
}

/** Draws foil balloons: inflated shiny letters, each in another colour unless the prompt names
 *  one. */
function balloons(context: SKRSContext2D, setting: Setting): void {
  const colours = setting.colour ? [setting.colour] : ['#f2c14e', '#f2678f', '#56b4e9', '#8fd16a', '#b487e6']
  weigh(context, setting, 800)
  let order = 0
  eachLine(setting, (line, x, y) => {
    const letters = [...line]
    const widths = letters.map(letter => context.measureText(letter).width * 1.04)
    let left = x - widths.reduce((sum, width) => sum + width, 0) / 2
    letters.forEach((letter, k) => {
      const at = left + widths[k]! / 2
      left += widths[k]!
      if (letter !== ' ') balloonLetter(context, setting, { letter, x: at, y, colour: colours[order++ % colours.length]! })
    })
  })
}

function balloonLetter(context: SKRSContext2D, setting: Setting, at: { letter: string; x: number; y: number; colour: string }): void {
  const { size } = setting
  context.save()
  context.shadowColor = 'rgba(30,20,40,0.35)'
  context.shadowBlur = size * 0.06
  context.shadowOffsetY = size * 0.03
  context.strokeStyle = context.fillStyle = at.colour
  context.lineWidth = size * 0.13
  context.strokeText(at.letter, at.x, at.y)
  context.fillText(at.letter, at.x, at.y)
  context.shadowColor = 'transparent'
  // A dark line at the lower edge and a light one at the upper edge make the letter look round.
  context.strokeStyle = 'rgba(60,20,50,0.22)'
  context.lineWidth = size * 0.035
  context.strokeText(at.letter, at.x + size * 0.012, at.y + size * 0.02)
  weigh(context, setting, 300)
  context.strokeStyle = 'rgba(255,255,255,0.5)'
  context.lineWidth = size * 0.03
  context.strokeText(at.letter, at.x - size * 0.016, at.y - size * 0.024)
  context.restore()
  weigh(context, setting, 800)
}
