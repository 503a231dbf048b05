/** `npm run bench -- studio [--side=1024] [--rounds=3] [--styles=oil,ink]`: measures the CPU time
 *  that the image engine needs to draw pictures, without encoding them. Draws six scenes that show
 *  different places, and applies each style to each scene. Reports medians of the rounds after a
 *  warm-up. */
import { composeScene, type Stage, setStage } from '../engines/studio/compose.ts'
import { type Scene, type StyleKind, styleKinds } from '../engines/studio/scene.ts'
import type { Pixels } from '../engines/studio/style/pixels.ts'
import { applyStyle } from '../engines/studio/style/style.ts'
import { parseVaried } from '../engines/studio/variety/vary.ts'
import { median } from './measure.ts'
import { isMet, lineOf, print } from './report.ts'
import type { Figure } from './scenarios.ts'

const prompts = [
  'a meadow with two deer and a fox under trees at sunset',
  'a city street at night with cars and people, rain',
  'a cozy living room with a cat on a sofa',
  'a stormy sea with three sailboats',
  'a snowy village with a snowman and children',
  'a wooden table with a pizza, fruit and a cup of coffee',
]
/** Goals by the side of the picture in pixels: CPU seconds of one core, for the median of all
 *  scenes and styles. */
const goals: Readonly<Record<number, number>> = { 1024: 0.6, 2048: 2.2 }

/** Prints a line for each scene and style. Sets the exit code when the goal for the size is
 *  missed. */
export async function benchStudio(args: readonly string[]): Promise<void> {
  const given = (name: string) => args.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const side = Number(given('side') ?? 1024)
  const rounds = Number(given('rounds') ?? 3)
  const wanted = given('styles')?.split(',')
  const drawn: ComposedScene[] = []
  for (const prompt of prompts) drawn.push(await composed(parseVaried(prompt, { seed: '7' }), side, rounds))
  const wholes: number[] = []
  for (const style of styleKinds) {
    if (wanted && !wanted.includes(style)) continue
    const costs = drawn.map(one => styleCost(one, style, rounds))
    wholes.push(...costs.map((cost, index) => cost + drawn[index]!.cost))
    print(`${style.padEnd(14)} ${costs.map(cost => cost.toFixed(0).padStart(5)).join(' ')}   median ${median(costs).toFixed(0)} ms`)
  }
  const goal = goals[side]
  const figure: Figure = {
    name: `median picture of ${side}x${side} of all scenes and styles, CPU`,
    value: median(wholes) / 1000,
    unit: 's',
    ...(goal === undefined ? {} : { goal: { bound: 'at most', value: goal } }),
    note: `dearest ${(Math.max(...wholes) / 1000).toFixed(2)} s; memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`,
  }
  print(lineOf(figure))
  if (!isMet(figure)) process.exitCode = 1
}

interface ComposedScene {
  scene: Scene
  pixels: Pixels
  /** CPU time in ms that drawing the scene takes before a style is applied. */
  cost: number
}

async function composed(scene: Scene, side: number, rounds: number): Promise<ComposedScene> {
  const size = { width: side, height: side }
  const parts: Record<'plan' | Stage, number[]> = { plan: [], place: [], subjects: [], composed: [] }
  let pixels: Pixels | undefined
  for (let round = 0; round <= rounds; round++) {
    const took: [keyof typeof parts, number][] = []
    let last = cpuMs()
    const mark = (part: keyof typeof parts): void => {
      const now = cpuMs()
      took.push([part, now - last])
      last = now
    }
    setStage(scene, size)
    mark('plan')
    const canvas = await composeScene(scene, size, async (unfinished, stage) => {
      // The engine draws a picture only when its pixels are read, so they are read here.
      unfinished.data()
      mark(stage)
    })
    pixels = { ...size, data: new Uint8ClampedArray(canvas.data()) }
    // The first round only warms up, and is not counted.
    if (round > 0) for (const [part, cost] of took) parts[part].push(cost)
  }
  const costs = Object.entries(parts).map(([part, all]) => ({ part, cost: median(all) }))
  const cost = costs.reduce((sum, each) => sum + each.cost, 0)
  print(`${scene.setting.kind.padEnd(14)} ${costs.map(each => `${each.part} ${each.cost.toFixed(0)}`).join(', ')}: ${cost.toFixed(0)} ms`)
  if (!pixels) throw new RangeError('no round')
  return { scene, pixels, cost }
}

function styleCost({ scene, pixels }: ComposedScene, style: StyleKind, rounds: number): number {
  const costs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = cpuMs()
    applyStyle(pixels, style, { seed: scene.seed, moods: scene.moods })
    if (round > 0) costs.push(cpuMs() - start)
  }
  return median(costs)
}

/** Returns the CPU time in ms that all threads of this process have used so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
