import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { pairs } from '../../pairs.ts'
import { paintMoon } from '../celestial.ts'
import { clamp, css, mix, rgb, scale, shift, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import { woodGrain } from '../materials.ts'
import type { Stage } from '../stage.ts'
import { bokehDiscs, outsideView, paintDrops, paintWindowFrame } from '../window.ts'
import { paintDiagram } from './diagram.ts'
import { kitchen, livingRoom } from './home.ts'
import { blurredRoom } from './interior.ts'
import type { Place, PlacePainter } from './place.ts'

type TopKind = 'wood' | 'cloth' | 'marble' | 'check'

function topKind(stage: Stage): TopKind {
  if (stage.has('cloth', 'tablecloth')) return 'cloth'
  if (stage.has('picnic', 'checkered', 'checked')) return 'check'
  if (stage.has('marble', 'stone')) return 'marble'
  return 'wood'
}

function topColour(stage: Stage, kind: TopKind): Rgb {
  const own = stage.scene.setting.colour
  const base =
    kind === 'wood'
      ? rgb(stage.has('dark') ? '#5d3a24' : stage.has('white') ? '#d9cdbb' : '#a66a3a')
      : kind === 'marble'
        ? rgb('#e9e6e1')
        : kind === 'check'
          ? rgb('#c7372f')
          : rgb('#ece4d6')
  return own === undefined ? base : mix(base, rgb(own.hex), kind === 'wood' ? 0.55 : 0.85)
}

interface Glow {
  tint: Rgb
  level: number
}

/** Draws the table top in perspective, with a soft reflection of what is behind it. */
function paintTop(context: SKRSContext2D, stage: Stage, edgeY: number, glow: Glow): void {
  const { view, width, height, unit } = stage
  const kind = topKind(stage)
  const colour = topColour(stage, kind)
  const noise = stage.noise('table')
  const grain = topTexture(kind, colour, noise)
  const side = stage.sun.side
  const mirror = edgeY < unit * 0.1 ? undefined : mirrorOf(context, stage, edgeY)
  const gloss = kind === 'wood' ? 0.3 : kind === 'marble' ? 0.34 : 0.06
  paintField(context, { x: 0, y: edgeY, width, height: height - edgeY }, fieldScale(width, height, 1.5), (px, py, out) => {
    const z = view.depth(py)
    const x = ((px - view.centreX) / view.focal) * z
    grain(x, z, out)
    const t = (py - edgeY) / (height - edgeY)
    const pool = 1 - 0.36 * smooth(0.25, 1.05, Math.hypot((px - view.centreX) / unit + side * -0.12, (t - 0.32) * 0.7))
    const light = glow.level * pool * (0.9 + 0.16 * side * ((px - view.centreX) / Math.max(width, unit)) * 2)
    const sheen = gloss * (0.2 + 0.8 * (1 - t) ** 2)
    let r = (out[0]! * glow.tint.r * light) / 255
    let g = (out[1]! * glow.tint.g * light) / 255
    let b = (out[2]! * glow.tint.b * light) / 255
    if (mirror !== undefined) {
      mirror(px, t, out)
      r += (out[0]! - r) * sheen
      g += (out[1]! - g) * sheen
      b += (out[2]! - b) * sheen
    }
    out[0] = r
    out[1] = g
    out[2] = b
    out[3] = 255
  })
  const edge = context.createLinearGradient(0, edgeY - unit * 0.004, 0, edgeY + unit * 0.03)
  edge.addColorStop(0, 'rgba(255,246,226,0)')
  edge.addColorStop(0.14, `rgba(255,246,226,${0.28 * glow.level})`)
  edge.addColorStop(1, 'rgba(255,246,226,0)')
  context.fillStyle = edge
  context.fillRect(0, edgeY - unit * 0.004, width, unit * 0.034)
}

/** Returns a function that reads the soft reflection in the table top. The function reads a tiny
 *  copy, upside down, of the picture above the table's edge. */
function mirrorOf(context: SKRSContext2D, stage: Stage, edgeY: number): (x: number, t: number, out: Float64Array) => void {
  const columns = 48
  const rows = 24
  const small = createCanvas(columns, rows)
  const ink = small.getContext('2d')
  ink.imageSmoothingQuality = 'medium'
  ink.drawImage(stage.soFar(context), 0, edgeY * 0.1, stage.width, edgeY * 0.9, 0, 0, columns, rows)
  const { data } = ink.getImageData(0, 0, columns, rows)
  return (x, t, out) => {
    const u = clamp((x / stage.width) * columns - 0.5, 0, columns - 1.001)
    const v = clamp((1 - t * 1.1) * rows - 0.5, 0, rows - 1.001)
    const iu = Math.floor(u)
    const iv = Math.floor(v)
    const fu = u - iu
    const fv = v - iv
    const at = (iv * columns + iu) * 4
    for (let k = 0; k < 3; k++) {
      const top = data[at + k]! * (1 - fu) + data[at + 4 + k]! * fu
      const low = data[at + columns * 4 + k]! * (1 - fu) + data[at + columns * 4 + 4 + k]! * fu
      out[k] = top * (1 - fv) + low * fv
    }
  }
}

/** Returns a function that writes the colour of the table top at a position in metres; boards run
 *  across the view. */
function topTexture(kind: TopKind, colour: Rgb, noise: ReturnType<Stage['noise']>): (x: number, z: number, out: Float64Array) => void {
  const put = (out: Float64Array, c: Rgb, f: number) => {
    out[0] = c.r * f
    out[1] = c.g * f
    out[2] = c.b * f
  }
  if (kind === 'wood') {
    const board = 0.125
    return (x, z, out) => {
      const index = Math.floor(z / board)
      const own = noise.cell(index, 7)
      const across = z - index * board
      const grain = woodGrain(noise, x * 2.2 + own * 30, across * 5.2, own * 11 + index)
      const gap = smooth(0.0035, 0.0008, Math.min(across, board - across)) * 0.55
      const wear = noise.fbm(x * 3, z * 3, 3) * 0.07
      put(out, colour, 1.02 + (own - 0.5) * 0.26 + grain * 0.95 + wear - gap)
    }
  }
  if (kind === 'marble')
    return (x, z, out) => put(out, colour, 1 - 0.26 * smooth(0.05, 0, Math.abs(noise.fbm(x * 4, z * 4, 4))) + noise.at(x * 2, z * 2) * 0.05)
  const light = rgb('#f6f0e6')
  const fold = (x: number, z: number) => noise.fbm(x * 2.4, z * 1.8, 3) * 0.16 + noise.at(x * 60, z * 60) * 0.02
  if (kind === 'check') {
    return (x, z, out) => {
      const a = Math.floor(x / 0.045) & 1
      const b = Math.floor(z / 0.045) & 1
      put(out, a === b ? (a === 1 ? colour : light) : mix(colour, light, 0.5), 1 + fold(x, z) * 0.6)
    }
  }
  return (x, z, out) => put(out, colour, 1 + fold(x, z))
}

function glowOf(stage: Stage): Glow {
  const { palette } = stage
  const evening = palette.isDim || stage.has('cozy', 'candlelit')
  const tint = evening ? rgb('#ffd8a6') : mix(mix(palette.key, rgb('#ffffff'), 0.5), rgb('#fff4e0'), 0.4)
  return { tint, level: evening ? 0.82 : palette.sharpness < 0.3 ? 0.86 : 1.04 }
}

function tablePlace(stage: Stage, glow: Glow, paintBack: (context: SKRSContext2D, edgeY: number) => void): Place {
  const edgeY = stage.view.horizonY < 0 ? 0 : stage.view.farY
  return {
    floor: topKind(stage) === 'wood' ? 'wood' : topKind(stage) === 'marble' ? 'stone' : 'cloth',
    isIndoors: true,
    edgeY,
    light: {
      height: 0.6,
      key: mix(glow.tint, rgb('#ffffff'), 0.3),
      ambient: mix(scale(glow.tint, clamp(glow.level, 0, 1)), rgb('#ffffff'), 0.4),
      shadow: 0.6,
      rim: 0.45,
    },
    haze: { colour: rgb('#d9cbb8'), strength: 0.08 },
    paintBack: context => paintBack(context, edgeY),
  }
}

/** Paints a table in a blurred room or, with words such as `garden`, before a blurred garden. */
export const table: PlacePainter = stage => {
  const glow = glowOf(stage)
  const outdoors = stage.has('outdoor', 'garden', 'picnic')
  return tablePlace(stage, glow, (context, edgeY) => {
    if (edgeY <= 0) return paintTop(context, stage, 0, glow)
    const backdrop = outdoors ? outsideView(stage, stage.width / stage.height, Math.min(360, stage.height), 0.03) : blurredBackground(stage)
    context.drawImage(backdrop, 0, 0, stage.width, outdoors ? edgeY * 1.35 : stage.height)
    const warm = ['#ffdf9e', '#fff3d6', '#ffc67a'].map(rgb)
    const colours = outdoors
      ? ['#e8ffd0', '#fff8d8', '#c8f0b0'].map(rgb)
      : stage.has('festive', 'christmas', 'birthday', 'party')
        ? [...warm, rgb('#ff8f8f'), rgb('#9fd8ff')]
        : warm
    bokehDiscs(
      context,
      stage,
      { x: 0, y: 0, width: stage.width, height: edgeY },
      { colours, count: Math.round((15 * stage.width) / stage.unit), radius: [0.02, 0.06], strength: stage.palette.isDim ? 0.42 : 0.2 },
    )
    paintTop(context, stage, edgeY, glow)
  })
}

function blurredBackground(stage: Stage): Canvas {
  const small = Math.min(1, 300 / stage.unit)
  const width = Math.max(16, Math.round(stage.width * small))
  const height = Math.max(16, Math.round(stage.height * small))
  const room = stage.has('kitchen') || stage.random.fork('room kind').next() < 0.4 ? kitchen : livingRoom
  const view = {
    ...stage.view,
    horizonY: stage.view.farY * small * 0.62,
    farY: 0,
    nearY: height,
    centreX: width / 2,
    focal: 1.15 * 300,
    eye: 1.35,
  }
  const scaled: Stage = {
    ...stage,
    width,
    height,
    unit: Math.min(width, height),
    view: {
      ...view,
      focal: 1.15 * Math.min(width, height),
      metre: y => y,
      depth: y => (1.35 * 1.15 * Math.min(width, height)) / Math.max(0.5, y - view.horizonY),
      column: (x, z) => width / 2 + (x * 1.15 * Math.min(width, height)) / z,
      row: (y, z) => view.horizonY + ((1.35 - y) * 1.15 * Math.min(width, height)) / z,
    },
  }
  return blurredRoom(scaled, room, 0.022)
}

interface Pane {
  x: number
  y: number
  width: number
  height: number
}

/** Paints a table below a window, with the blurred world outside. In wet weather there are
 *  raindrops on the pane. */
export const windowTable: PlacePainter = stage => {
  const glow = glowOf(stage)
  const { unit, width } = stage
  return tablePlace(stage, glow, (context, edgeY) => {
    if (edgeY <= 0) return paintTop(context, stage, 0, glow)
    const wall = shift(mix(scale(rgb('#b9a68e'), glow.level), glow.tint, 0.12), stage.palette.isDim ? -0.35 : -0.08)
    const gradient = context.createLinearGradient(0, 0, 0, edgeY)
    gradient.addColorStop(0, css(shift(wall, -0.2)))
    gradient.addColorStop(1, css(wall))
    context.fillStyle = gradient
    context.fillRect(0, 0, width, edgeY + 1)
    const span = Math.min(width - unit * 0.16, unit * 2.4)
    const pane: Pane = { x: (width - span) / 2, y: unit * 0.045, width: span, height: edgeY - unit * 0.14 }
    paintPane(context, stage, pane)
    const colour = mix(rgb(stage.has('wooden') ? '#b08a5e' : '#efe8da'), glow.tint, 0.1)
    paintWindowFrame(context, { ...pane, columns: Math.max(2, Math.round(span / (unit * 0.46))), rows: 1, colour, bar: unit * 0.018 })
    paintTop(context, stage, edgeY, glow)
  })
}

/** Draws the blurred outside in a pane, after dark or in rain with lights. On the glass are
 *  drops in rain, otherwise reflections. */
function paintPane(context: SKRSContext2D, stage: Stage, pane: Pane): void {
  const isRainy = stage.weather('rain', 'storm', 'lightning') || stage.has('rainy', 'rain')
  const view = outsideView(stage, pane.width / pane.height, Math.min(460, Math.max(64, pane.height * 0.6)), 0.026)
  context.drawImage(view, pane.x, pane.y, pane.width, pane.height)
  if (stage.palette.isDim || isRainy) {
    const low = { ...pane, y: pane.y + pane.height * 0.4, height: pane.height * 0.55 }
    const colours = ['#ffcf7a', '#ff9f6a', '#8fd0ff', '#ffe8b0'].map(rgb)
    const count = Math.round((22 * pane.width) / stage.unit)
    bokehDiscs(context, stage, low, { colours, count, radius: [0.012, 0.034], strength: stage.palette.isDim ? 0.6 : 0.32 })
  }
  if (stage.has('moon') && stage.palette.isNight) moonOutside(context, stage, pane)
  if (isRainy) paintDrops(context, stage, pane, view)
  else paintReflection(context, stage, pane)
}

/** Draws the moon high in an outer pane, where a person in the middle does not cover it. */
function moonOutside(context: SKRSContext2D, stage: Stage, pane: Pane): void {
  const side = stage.random.fork('moon outside').next() < 0.5 ? 0.24 : 0.76
  context.save()
  context.beginPath()
  context.rect(pane.x, pane.y, pane.width, pane.height)
  context.clip()
  paintMoon(context, {
    ...stage,
    unit: stage.unit * 1.25,
    sun: { ...stage.sun, x: pane.x + pane.width * side, y: pane.y + pane.height * 0.32 },
  })
  context.restore()
}

/** Draws slanting bands of light on dry glass. */
function paintReflection(context: SKRSContext2D, stage: Stage, pane: Pane): void {
  context.save()
  context.beginPath()
  context.rect(pane.x, pane.y, pane.width, pane.height)
  context.clip()
  context.fillStyle = 'rgba(255,255,255,0.07)'
  for (const [at, wide] of pairs([0.12, 0.1, 0.27, 0.03, 0.62, 0.14])) {
    const x = pane.x + pane.width * at
    const w = pane.width * wide
    context.beginPath()
    context.moveTo(x + stage.unit * 0.2, pane.y)
    context.lineTo(x + w + stage.unit * 0.2, pane.y)
    context.lineTo(x + w - stage.unit * 0.2, pane.y + pane.height)
    context.lineTo(x - stage.unit * 0.2, pane.y + pane.height)
    context.fill()
  }
  context.restore()
}

/** Paints a shelf on a wall, seen at eye level. */
export const shelf: PlacePainter = stage => {
  const glow = glowOf(stage)
  return tablePlace(stage, glow, (context, edgeY) => {
    const noise = stage.noise('wall')
    const own = stage.scene.setting.colour
    const wall = own === undefined ? rgb('#d5dad2') : mix(rgb('#e6e0d4'), rgb(own.hex), 0.8)
    paintField(context, { x: 0, y: 0, width: stage.width, height: edgeY + 1 }, fieldScale(stage.width, stage.height), (x, y, out) => {
      const u = x / stage.unit
      const v = y / stage.unit
      const light =
        glow.level *
        (1.02 -
          0.24 * smooth(0.2, 1.1, Math.hypot(u - stage.sun.x / stage.unit, v - 0.25)) -
          0.16 * Math.exp((-(edgeY - y) / stage.unit) * 9) +
          noise.fbm(u * 5, v * 5, 4) * 0.04)
      out[0] = (wall.r * light * glow.tint.r) / 255
      out[1] = (wall.g * light * glow.tint.g) / 255
      out[2] = (wall.b * light * glow.tint.b) / 255
    })
    paintTop(context, stage, Math.max(0, edgeY), glow)
  })
}

/** Paints a plain studio background in one colour, with a soft spot of light. */
export const backdrop: PlacePainter = stage => {
  const own = stage.scene.setting.colour
  const random = stage.random.fork('backdrop')
  const colour = own === undefined ? rgb(random.pick(['#d9d3c7', '#c7d3d6', '#d8c9c2', '#cfd3c2', '#cbc7d6'])) : rgb(own.hex)
  const noise = stage.noise('backdrop')
  const { view, unit, width, height, scene } = stage
  const paper = plainPaper(stage)
  return {
    floor: 'none',
    isIndoors: true,
    ...(paper ? { isPaper: true } : {}),
    light: { height: 0.6, key: rgb('#fffaf0'), ambient: mix(rgb('#ffffff'), colour, 0.08), shadow: paper ? 0 : 0.55, rim: 0.35 },
    haze: { colour, strength: 0.05 },
    paintBack: context => {
      const dark = stage.palette.isNight ? 0.62 : 1
      if (paper) {
        context.fillStyle = paper
        context.fillRect(0, 0, width, height)
        if (stage.has('diagram')) paintDiagram(context, stage)
        if (scene.style === 'crayon') paintChildsSheet(context, stage)
        return
      }
      paintField(context, { x: 0, y: 0, width, height }, fieldScale(width, height, 0.6), (x, y, out) => {
        const u = (x - view.centreX) / Math.max(unit, width * 0.6) + stage.sun.side * -0.08
        const v = (y - height * 0.4) / height
        const pool = Math.exp(-(u * u * 2.2 + v * v * 3.2))
        const bend = smooth(view.horizonY - unit * 0.12, view.horizonY + unit * 0.2, y)
        const light =
          dark * (0.78 + 0.3 * pool - 0.06 * bend * (1 - bend) * 4 + 0.05 * bend + noise.fbm((x / unit) * 3, (y / unit) * 3, 4) * 0.022)
        const white = 0.16 * pool
        out[0] = (colour.r + (255 - colour.r) * white) * light
        out[1] = (colour.g + (255 - colour.g) * white) * light
        out[2] = (colour.b + (255 - colour.b) * white) * light
      })
    },
  }
}

/** Draws the background of a child's drawing: with the detail `lawn`, sky at the top and grass
 *  below; with `sun`, or on a lawn when `extras` allows additions, a sun in a corner. */
function paintChildsSheet(context: SKRSContext2D, stage: Stage): void {
  const { width, height, unit, view } = stage
  const isOutdoors = stage.has('lawn')
  if (isOutdoors) {
    context.fillStyle = '#70bae8'
    context.fillRect(0, 0, width, height * 0.085)
    context.fillStyle = '#7cbf42'
    context.fillRect(0, view.horizonY + (height - view.horizonY) * 0.3, width, height)
  }
  if (!stage.has('sun') && !(isOutdoors && stage.scene.extras > 0)) return
  const [x, y] = [stage.sun.side < 0 ? unit * 0.12 : width - unit * 0.12, unit * 0.12]
  context.strokeStyle = context.fillStyle = '#fad030'
  context.lineWidth = unit * 0.014
  context.beginPath()
  for (let ray = 0; ray < 12; ray++) {
    const angle = (ray / 12) * Math.PI * 2
    context.moveTo(x + Math.cos(angle) * unit * 0.1, y + Math.sin(angle) * unit * 0.1)
    context.lineTo(x + Math.cos(angle) * unit * 0.16, y + Math.sin(angle) * unit * 0.16)
  }
  context.stroke()
  context.beginPath()
  context.arc(x, y, unit * 0.08, 0, Math.PI * 2)
  context.fill()
}

/** Returns the plain colour of a diagram, or of a style without soft light (graphic design, and
 *  drawings on white paper or papyrus); undefined for other scenes. */
function plainPaper({ scene, has }: Stage): string | undefined {
  if (has('diagram')) return '#f5f6f1'
  if (scene.style === 'flat') return scene.setting.colour?.hex ?? '#d3e3e8'
  if (scene.style === 'papyrus') return '#ecdcb0'
  return /^(sketch|blueprint|crayon|line-art)$/.test(scene.style) && !scene.setting.colour ? '#ffffff' : undefined
}
