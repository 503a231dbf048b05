/** Draws a scene printed on an object: a poster, a book cover, a card, a stamp, a logo, an icon, an
 *  instant photograph, the panels of a comic, or a grid of pictures. */

import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../pairs.ts'
import { createRandom } from '../random.ts'
import type { Format, Scene } from '../scene.ts'
import { canvasOf } from '../style/canvas-of.ts'
import { prepareFont } from '../style/fonts.ts'
import type { Pixels } from '../style/pixels.ts'
import { drawOrnament } from './ornament.ts'
import { drawPanels } from './panels.ts'
import { type Sheet, type Size, writeTexts } from './sheet.ts'

/** Draws a scene that has a format, as finished pixels. The function `draw` is called for the
 *  picture or panels inside the format. Equal scenes and sizes give equal pixels. */
export async function drawFormat(
  scene: Scene,
  format: Format,
  { size, draw }: { size: Size; draw: (scene: Scene, size: Size) => Promise<Pixels> },
): Promise<Pixels> {
  const texts = scene.letterings.filter(({ on, onPlace }) => on === undefined && !onPlace)
  for (const { text } of texts) prepareFont(text)
  const canvas = createCanvas(size.width, size.height)
  const pen = canvas.getContext('2d')
  const { format: _, ...plain } = scene
  const inner: Scene = { ...plain, letterings: scene.letterings.filter(lettering => !texts.includes(lettering)) }
  const print: Sheet['print'] = async (what, box, clip) => {
    const inside = { width: Math.max(16, Math.round(box.width)), height: Math.max(16, Math.round(box.height)) }
    const picture = canvasOf(await draw(what, inside))
    pen.save()
    if (clip) {
      pen.beginPath()
      clip(pen)
      pen.clip()
    }
    pen.drawImage(picture, Math.round(box.x), Math.round(box.y), inside.width, inside.height)
    pen.restore()
  }
  const sheet: Sheet = { scene: inner, format, size, pen, unit: Math.min(size.width, size.height), texts, print }
  await painters[format.kind](sheet)
  return { data: canvas.data(), width: size.width, height: size.height }
}

const painters: Record<Format['kind'], (sheet: Sheet) => Promise<void>> = {
  poster,
  cover,
  card,
  stamp,
  logo,
  icon,
  polaroid,
  comic: drawPanels,
  grid: drawPanels,
}

/** Combinations of paper, ink and accent colours; the seed chooses one. */
const inks = [
  { paper: '#f4ecd8', ink: '#2b2622', accent: '#b8432f' },
  { paper: '#eef0ea', ink: '#1f2d3a', accent: '#2f6f8f' },
  { paper: '#f7efe4', ink: '#3a2430', accent: '#a8324e' },
  { paper: '#f1ead2', ink: '#24352b', accent: '#3f7a4a' },
] as const

function inkOf({ scene }: Sheet): (typeof inks)[number] {
  return createRandom(scene.seed).fork('format').pick(inks)
}

function fillPage({ pen, size }: Sheet, colour: string): void {
  pen.fillStyle = colour
  pen.fillRect(0, 0, size.width, size.height)
}

/** True for a scene without subjects and without a place. On a poster, a book cover or a logo, such
 *  a scene is left out, and the sheet shows only text. */
function isEmpty({ subjects, setting }: Scene): boolean {
  return subjects.length === 0 && (setting.words === '' || setting.kind === 'backdrop')
}

async function poster(sheet: Sheet): Promise<void> {
  const { pen, size, unit, texts, scene } = sheet
  const { paper, ink, accent } = inkOf(sheet)
  fillPage(sheet, paper)
  const margin = unit * 0.055
  const band = texts.length > 0 ? Math.max(unit * 0.2, size.height * 0.2) : 0
  const inner = { x: margin, y: margin, width: size.width - margin * 2, height: size.height - margin * 2 - band }
  if (isEmpty(scene)) {
    pen.strokeStyle = accent
    pen.lineWidth = unit * 0.012
    pen.strokeRect(margin, margin, size.width - margin * 2, size.height - margin * 2)
    writeTexts(pen, texts, { x: margin * 2, y: margin * 3, width: size.width - margin * 4, height: size.height - margin * 6 }, ink)
    return
  }
  await sheet.print(scene.setting.kind === 'backdrop' ? centred(scene) : scene, inner)
  if (sheet.format.manner) drawOrnament(sheet, inner)
  if (texts.length === 0) return
  // Without an ornament, the text comes closer to the picture, and a line in the accent colour
  // separates them. With one, the gap is larger, because the ornament extends below the picture.
  const gap = unit * (sheet.format.manner ? 0.06 : 0.035)
  pen.fillStyle = accent
  if (!sheet.format.manner) pen.fillRect(margin, inner.y + inner.height + unit * 0.022, inner.width, unit * 0.008)
  writeTexts(pen, texts, { ...inner, y: inner.y + inner.height + gap, height: band - gap }, ink)
}

/** Draws a closed book seen from the front, its spine at the left. */
async function cover(sheet: Sheet): Promise<void> {
  const { pen, size, unit, texts, scene } = sheet
  const { paper, ink, accent } = inkOf(sheet)
  const ground = pen.createLinearGradient(0, 0, 0, size.height)
  ground.addColorStop(0, '#cfd3d2')
  ground.addColorStop(1, '#a9adab')
  pen.fillStyle = ground
  pen.fillRect(0, 0, size.width, size.height)
  const height = Math.min(size.height * 0.92, size.width * 0.92 * 1.36)
  const book = { x: (size.width - height / 1.36) / 2, y: (size.height - height) / 2, width: height / 1.36, height }
  const shadow = (blur: number) => {
    pen.shadowColor = 'rgba(20,22,26,0.5)'
    pen.shadowBlur = blur
    pen.shadowOffsetX = blur * 0.3
    pen.shadowOffsetY = blur * 0.4
  }
  pen.save()
  shadow(unit * 0.04)
  pen.fillStyle = '#efe8d8'
  pen.fillRect(book.x + unit * 0.012, book.y + unit * 0.012, book.width, book.height)
  pen.restore()
  pen.fillStyle = scene.setting.colour?.hex ?? accent
  pen.fillRect(book.x, book.y, book.width, book.height)
  const [title, ...others] = texts
  const inset = book.width * 0.09
  const head = title ? book.height * 0.24 : inset
  const foot = others.length > 0 ? book.height * 0.13 : inset
  if (title)
    writeTexts(
      pen,
      [title],
      { x: book.x + inset, y: book.y + inset * 0.4, width: book.width - inset * 1.7, height: head - inset * 0.4 },
      paper,
    )
  if (!isEmpty(scene)) {
    const picture = { x: book.x + inset, y: book.y + head, width: book.width - inset * 1.7, height: book.height - head - foot }
    pen.fillStyle = paper
    pen.fillRect(picture.x - unit * 0.008, picture.y - unit * 0.008, picture.width + unit * 0.016, picture.height + unit * 0.016)
    await sheet.print(scene, picture)
  } else {
    pen.strokeStyle = paper
    pen.lineWidth = unit * 0.008
    pen.strokeRect(book.x + inset, book.y + head, book.width - inset * 1.7, book.height - head - foot)
  }
  if (others.length > 0)
    writeTexts(pen, others, { x: book.x + inset, y: book.y + book.height - foot, width: book.width - inset * 1.7, height: foot }, paper)
  const spine = pen.createLinearGradient(book.x, 0, book.x + inset * 0.8, 0)
  for (const [at, alpha] of pairs([0, 0.3, 0.35, 0.02, 0.62, 0.34, 1, 0]))
    spine.addColorStop(at, at === 0.35 ? `rgba(255,255,255,0.2)` : `rgba(0,0,0,${alpha})`)
  pen.fillStyle = spine
  pen.fillRect(book.x, book.y, inset * 0.8, book.height)
  pen.fillStyle = ink
  pen.globalAlpha = 0.25
  pen.fillRect(book.x + book.width - unit * 0.003, book.y, unit * 0.003, book.height)
  pen.globalAlpha = 1
}

interface Paper {
  x: number
  y: number
  width: number
  height: number
  /** Radius of the rounded corners, in pixels. */
  radius: number
}

/** Draws a sheet of paper and its shadow on the surface below it. `drop` is the distance in pixels
 *  by which the shadow is shifted down. */
function layPaper(
  pen: SKRSContext2D,
  { x, y, width, height, radius }: Paper,
  { fill, shadow, blur, drop }: { fill: string; shadow: string; blur: number; drop: number },
): void {
  pen.save()
  pen.shadowColor = shadow
  pen.shadowBlur = blur
  pen.shadowOffsetY = drop
  pen.fillStyle = fill
  pen.beginPath()
  pen.roundRect(x, y, width, height, radius)
  pen.fill()
  pen.restore()
}

async function card(sheet: Sheet): Promise<void> {
  const { pen, size, unit, texts, scene } = sheet
  const { ink, accent } = inkOf(sheet)
  fillPage(sheet, '#d9cfc6')
  const margin = unit * 0.06
  const paper = { x: margin, y: margin, width: size.width - margin * 2, height: size.height - margin * 2 }
  layPaper(pen, { ...paper, radius: unit * 0.02 }, { fill: '#fffdf8', shadow: 'rgba(40,26,20,0.4)', blur: unit * 0.04, drop: unit * 0.014 })
  const band = texts.length > 0 ? paper.height * 0.22 : 0
  const inset = unit * 0.035
  const inner = { x: paper.x + inset, y: paper.y + inset, width: paper.width - inset * 2, height: paper.height - inset * 2 - band }
  await sheet.print(scene, inner)
  pen.strokeStyle = accent
  pen.lineWidth = unit * 0.005
  pen.strokeRect(inner.x, inner.y, inner.width, inner.height)
  if (texts.length > 0) writeTexts(pen, texts, { ...inner, y: inner.y + inner.height + unit * 0.01, height: band }, ink)
}

/** Draws an instant photograph that lies on a table. The white rim of the photograph is wider at
 *  the bottom, where the text stands. */
async function polaroid(sheet: Sheet): Promise<void> {
  const { pen, size, unit, texts, scene } = sheet
  fillPage(sheet, '#b9a58c')
  const width = Math.min(size.width * 0.84, (size.height * 0.9) / 1.17)
  const paper = { x: (size.width - width) / 2, y: (size.height - width * 1.17) / 2, width, height: width * 1.17 }
  layPaper(
    pen,
    { ...paper, radius: unit * 0.006 },
    { fill: '#fbf9f3', shadow: 'rgba(40,26,14,0.55)', blur: unit * 0.05, drop: unit * 0.016 },
  )
  const rim = width * 0.06
  const inner = { x: paper.x + rim, y: paper.y + rim, width: width - rim * 2, height: width - rim * 2 }
  await sheet.print(scene, inner)
  pen.strokeStyle = 'rgba(0,0,0,0.28)'
  pen.lineWidth = Math.max(1, unit * 0.002)
  pen.strokeRect(inner.x, inner.y, inner.width, inner.height)
  if (texts.length > 0) writeTexts(pen, texts, { ...inner, y: inner.y + inner.height, height: width * 0.17 - rim * 0.4 }, '#3a3a44')
}

/** Draws a postage stamp: a sheet with perforated edges. */
async function stamp(sheet: Sheet): Promise<void> {
  const { pen, size, unit, texts, scene } = sheet
  fillPage(sheet, '#8f8a84')
  const margin = unit * 0.08
  const paper = { x: margin, y: margin, width: size.width - margin * 2, height: size.height - margin * 2 }
  pen.fillStyle = '#fbf7ec'
  pen.fillRect(paper.x, paper.y, paper.width, paper.height)
  pen.fillStyle = '#8f8a84'
  const bites = (length: number) => Math.max(6, Math.round(length / (unit * 0.055)))
  for (const [across, along] of [
    [true, bites(paper.width)],
    [false, bites(paper.height)],
  ] as const)
    for (let i = 0; i <= along; i++)
      for (const far of [0, 1]) {
        pen.beginPath()
        const [x, y] = across ? [i / along, far] : [far, i / along]
        pen.arc(paper.x + x * paper.width, paper.y + y * paper.height, unit * 0.017, 0, Math.PI * 2)
        pen.fill()
      }
  const inset = unit * 0.055
  const band = texts.length > 0 ? unit * 0.1 : 0
  const inner = { x: paper.x + inset, y: paper.y + inset, width: paper.width - inset * 2, height: paper.height - inset * 2 - band }
  await sheet.print(scene, inner)
  if (texts.length > 0) writeTexts(pen, texts, { ...inner, y: inner.y + inner.height, height: band }, '#2b2622')
}

/** Returns the scene with its things in the centre and as large as possible. Used for emblems, and
 *  for posters without a place. */
function centred(scene: Scene): Scene {
  const isAlone = scene.subjects.length === 1 && scene.subjects[0]?.count === 1
  return {
    ...scene,
    camera: { ...scene.camera, framing: isAlone ? 'medium' : 'full', angle: 'eye' },
    subjects: scene.subjects.map(({ place: _, ...subject }) => subject),
  }
}

async function logo(sheet: Sheet): Promise<void> {
  const { pen, size, unit, texts, scene } = sheet
  const { ink, accent } = inkOf(sheet)
  fillPage(sheet, '#fbfaf6')
  const band = texts.length > 0 ? size.height * 0.24 : 0
  const empty = isEmpty(scene)
  if (!empty) {
    const radius = Math.min(size.width, size.height - band) * 0.42
    const centre = { x: size.width / 2, y: (size.height - band) / 2 + (band > 0 ? unit * 0.02 : 0) }
    pen.fillStyle = accent
    pen.beginPath()
    pen.arc(centre.x, centre.y, radius, 0, Math.PI * 2)
    pen.fill()
    pen.fillStyle = '#fbfaf6'
    pen.beginPath()
    pen.arc(centre.x, centre.y, radius * 0.93, 0, Math.PI * 2)
    pen.fill()
    const inside = radius * 0.89
    const box = { x: centre.x - inside, y: centre.y - inside, width: inside * 2, height: inside * 2 }
    await sheet.print(centred(scene), box, context => context.arc(centre.x, centre.y, inside, 0, Math.PI * 2))
  }
  if (texts.length > 0) {
    const top = empty ? size.height * 0.2 : size.height - band - unit * 0.02
    writeTexts(pen, texts, { x: unit * 0.06, y: top, width: size.width - unit * 0.12, height: empty ? size.height * 0.6 : band }, ink)
  }
}

async function icon(sheet: Sheet): Promise<void> {
  const { size, unit, pen, scene } = sheet
  fillPage(sheet, '#eceef1')
  const side = unit * 0.76
  const box = { x: (size.width - side) / 2, y: (size.height - side) / 2, width: side, height: side }
  const outline = (context: SKRSContext2D) => context.roundRect(box.x, box.y, side, side, side * 0.22)
  layPaper(pen, { ...box, radius: side * 0.22 }, { fill: '#ffffff', shadow: 'rgba(30,34,44,0.35)', blur: unit * 0.05, drop: unit * 0.02 })
  await sheet.print(centred(scene), box, outline)
}
