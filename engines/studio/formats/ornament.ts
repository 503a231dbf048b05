import { pairs } from '../pairs.ts'
import type { Box, Sheet } from './sheet.ts'

/** Draws the ornamental frame of a poster: for Art Deco, stepped gold lines with fans in the
 *  corners; for Art Nouveau, a curved vine with buds. */
export function drawOrnament(sheet: Sheet, box: Box): void {
  const { pen, unit } = sheet
  pen.save()
  if (sheet.format.manner === 'deco') drawDeco(sheet, box, unit)
  else drawNouveau(sheet, box, unit)
  pen.restore()
}

const gold = '#c9a24a'
const night = '#14202c'

function drawDeco({ pen }: Sheet, box: Box, unit: number): void {
  const wide = unit * 0.055
  pen.lineWidth = wide
  pen.strokeStyle = night
  pen.strokeRect(box.x - wide / 2, box.y - wide / 2, box.width + wide, box.height + wide)
  pen.strokeStyle = gold
  for (const [off, thick] of pairs([-0.85, 0.07, -0.55, 0.16, -0.2, 0.07, 0.14, 0.05])) {
    pen.lineWidth = wide * thick
    pen.strokeRect(box.x + off * wide, box.y + off * wide, box.width - off * wide * 2, box.height - off * wide * 2)
  }
  const radius = unit * 0.16
  for (const [x, y, turn] of cornersOf(box)) {
    pen.save()
    pen.translate(x, y)
    pen.rotate(turn)
    pen.beginPath()
    pen.moveTo(0, 0)
    pen.arc(0, 0, radius, 0, Math.PI / 2)
    pen.closePath()
    pen.fillStyle = night
    pen.fill()
    pen.lineWidth = unit * 0.005
    pen.stroke()
    for (let ray = 1; ray < 7; ray++) {
      const angle = (ray / 7) * (Math.PI / 2)
      pen.beginPath()
      pen.moveTo(Math.cos(angle) * radius * 0.3, Math.sin(angle) * radius * 0.3)
      pen.lineTo(Math.cos(angle) * radius, Math.sin(angle) * radius)
      pen.stroke()
    }
    pen.beginPath()
    pen.arc(0, 0, radius * 0.3, 0, Math.PI / 2)
    pen.stroke()
    pen.restore()
  }
}

/** Returns the four corners of the box: x, y, and the angle in radians by which the ornament of the
 *  top left corner is rotated to fit. */
function cornersOf({ x, y, width, height }: Box) {
  return [
    [x, y, 0],
    [x + width, y, Math.PI / 2],
    [x + width, y + height, Math.PI],
    [x, y + height, -Math.PI / 2],
  ] as const
}

function drawNouveau({ pen }: Sheet, box: Box, unit: number): void {
  const [olive, cream] = ['#5d6b3f', '#e9d9a8']
  pen.lineWidth = unit * 0.05
  pen.strokeStyle = cream
  pen.strokeRect(box.x, box.y, box.width, box.height)
  pen.lineWidth = unit * 0.006
  pen.strokeStyle = '#7a5a34'
  for (const off of [-0.025, 0.025])
    pen.strokeRect(box.x + off * unit, box.y + off * unit, box.width - off * unit * 2, box.height - off * unit * 2)
  const reach = Math.min(box.width, box.height) * 0.4
  for (const [x, y, turn] of cornersOf(box))
    for (const isMirrored of [false, true]) {
      pen.save()
      pen.translate(x, y)
      pen.rotate(turn)
      if (isMirrored) pen.transform(0, 1, 1, 0, 0, 0)
      drawVine(pen, { reach, unit, olive })
      pen.restore()
    }
}

/** Draws a wavy vine along the positive x axis from a corner at the origin. The vine has leaves, a
 *  flower in the corner, and a curl at its end. */
function drawVine(pen: Sheet['pen'], { reach, unit, olive }: { reach: number; unit: number; olive: string }): void {
  pen.strokeStyle = pen.fillStyle = olive
  pen.lineWidth = unit * 0.009
  pen.lineCap = 'round'
  pen.beginPath()
  pen.moveTo(0, 0)
  pen.bezierCurveTo(reach * 0.2, unit * 0.1, reach * 0.45, -unit * 0.03, reach * 0.7, unit * 0.045)
  pen.bezierCurveTo(reach * 0.95, unit * 0.12, reach, unit * 0.02, reach * 0.88, unit * 0.025)
  pen.stroke()
  for (const [along, up] of pairs([0.22, 0.06, 0.48, 0.012, 0.68, 0.06])) {
    pen.beginPath()
    pen.ellipse(reach * along, unit * up + unit * 0.016, unit * 0.026, unit * 0.011, 0.7, 0, Math.PI * 2)
    pen.fill()
  }
  for (let petal = 0; petal < 6; petal++) {
    pen.fillStyle = '#c8614e'
    pen.beginPath()
    pen.ellipse(
      unit * 0.035 + Math.cos(petal * 1.047) * unit * 0.022,
      unit * 0.035 + Math.sin(petal * 1.047) * unit * 0.022,
      unit * 0.021,
      unit * 0.013,
      petal * 1.047,
      0,
      Math.PI * 2,
    )
    pen.fill()
  }
  pen.fillStyle = '#e6b84f'
  pen.beginPath()
  pen.arc(unit * 0.035, unit * 0.035, unit * 0.012, 0, Math.PI * 2)
  pen.fill()
}
