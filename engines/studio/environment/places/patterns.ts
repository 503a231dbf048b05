import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Stage } from '../stage.ts'

/** Colours for the colour words in the names of patterns. */
const paints: Readonly<Record<string, string>> = {
  red: '#cf2f2a',
  orange: '#ee8a2c',
  yellow: '#f4cf3a',
  green: '#3f9a55',
  blue: '#2f62b8',
  purple: '#7a45a8',
  pink: '#ec85ab',
  white: '#f8f6f0',
  black: '#1d1c20',
  brown: '#7d5433',
  grey: '#8d9096',
  gray: '#8d9096',
  gold: '#d9a93a',
  silver: '#c2c7cd',
}

/** Returns the detail of the setting that asks for a pattern over the whole picture, such as
 *  `vertical stripes pattern`; undefined when there is none. */
export function patternOf({ scene }: Stage): string | undefined {
  return scene.setting.details.find(
    detail => detail.endsWith(' pattern') && /stripes|lines|dots|checks|squares|checkerboard|zigzags|waves/.test(detail),
  )
}

/** Draws bands, waves, dots or squares of equal size in the colours among the details of the
 *  setting. When these name one colour, a second one is added; when they name none, four colours
 *  are used. */
export function paintPattern(context: SKRSContext2D, stage: Stage, pattern: string): void {
  const { width, height, unit } = stage
  const named = stage.scene.setting.details.flatMap(detail => paints[detail] ?? [])
  const colours =
    named.length > 1
      ? named
      : named.length === 1
        ? [named[0] ?? '#f8f6f0', named[0] === paints.white ? '#2f62b8' : '#f8f6f0']
        : ['#cf2f2a', '#f4cf3a', '#2f62b8', '#3f9a55']
  const [ground = '#f8f6f0', ...others] = colours
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  const step = unit / 8
  if (/dots/.test(pattern)) dots(context, { width, height, step }, others)
  else if (/checks|squares|checkerboard/.test(pattern)) squares(context, { width, height, step }, colours)
  else if (/zigzags|waves/.test(pattern)) waves(context, { width, height, step }, { colours, isSharp: /zigzag/.test(pattern) })
  else
    bands(
      context,
      { width, height, step },
      { colours, turn: /horizontal/.test(pattern) ? Math.PI / 2 : /diagonal/.test(pattern) ? Math.PI / 4 : 0 },
    )
}

interface Field {
  width: number
  height: number
  /** Distance in pixels from one band, dot or square to the next. */
  step: number
}

function bands(
  context: SKRSContext2D,
  { width, height, step }: Field,
  { colours, turn }: { colours: readonly string[]; turn: number },
): void {
  const reach = Math.hypot(width, height)
  context.save()
  context.translate(width / 2, height / 2)
  context.rotate(turn)
  for (let k = 0, x = -Math.ceil(reach / step) * step; x < reach; x += step, k++) {
    context.fillStyle = colours[k % colours.length] ?? '#ffffff'
    context.fillRect(x, -reach, step + 0.5, reach * 2)
  }
  context.restore()
}

function dots(context: SKRSContext2D, { width, height, step }: Field, colours: readonly string[]): void {
  for (let row = 0; row * step < height + step; row++)
    for (let column = -1; column * step < width + step; column++) {
      context.fillStyle = colours[(row + column + colours.length) % colours.length] ?? '#1d1c20'
      context.beginPath()
      context.arc((column + (row % 2) / 2 + 0.5) * step, (row + 0.5) * step, step * 0.3, 0, Math.PI * 2)
      context.fill()
    }
}

function squares(context: SKRSContext2D, { width, height, step }: Field, colours: readonly string[]): void {
  for (let row = 0; row * step < height; row++)
    for (let column = 0; column * step < width; column++) {
      context.fillStyle = colours[(row + column) % colours.length] ?? '#1d1c20'
      context.fillRect(column * step, row * step, step + 0.5, step + 0.5)
    }
}

function waves(
  context: SKRSContext2D,
  { width, height, step }: Field,
  { colours, isSharp }: { colours: readonly string[]; isSharp: boolean },
): void {
  for (let row = -1; row * step < height + step; row++) {
    context.fillStyle = colours[(row + colours.length) % colours.length] ?? '#1d1c20'
    context.beginPath()
    context.moveTo(0, height)
    for (let x = 0; x <= width; x += step / 12) {
      const phase = x / (step * 1.6)
      const swing = isSharp ? Math.abs((phase % 1) - 0.5) * 2 - 0.5 : Math.sin(phase * Math.PI * 2) * 0.4
      context.lineTo(x, (row + swing) * step)
    }
    context.lineTo(width, height)
    context.fill()
  }
}
