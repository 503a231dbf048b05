/** How a picture has moved from one frame to the next, by blocks: what a camera does is read off
 *  its frames. */
import type { Shape } from './frames.ts'

interface Block {
  /** Middle of the block, -1 to 1 from the left and the upper edge to the right and the lower
   *  one. */
  x: number
  y: number
  /** Pixels to the right and downwards. */
  dx: number
  dy: number
}

export interface Movement {
  /** Pixels of all blocks, of those in the upper third and of those in the lower one. */
  x: number
  y: number
  far: { x: number; y: number }
  near: { x: number; y: number }
  /** Growth from the middle outwards, of the whole, and of the lower half less the upper one. */
  growth: number
}

const half = 10

/** Blocks that have enough detail to be found again, RGBA frames; up to `reach` pixels away. */
export function blocksOf(from: Uint8Array, to: Uint8Array, { width, height }: Shape, reach = 9): Block[] {
  const grey = (pixels: Uint8Array) =>
    Float32Array.from(
      { length: width * height },
      (_, i) => (pixels[i * 4] ?? 0) * 0.3 + (pixels[i * 4 + 1] ?? 0) * 0.59 + (pixels[i * 4 + 2] ?? 0) * 0.11,
    )
  const [a, b] = [grey(from), grey(to)]
  const blocks: Block[] = []
  for (let y = half + reach; y < height - half - reach; y += half)
    for (let x = half + reach; x < width - half - reach; x += half * 2) {
      const cost = (dx: number, dy: number): number => {
        let sum = 0
        for (let j = -half; j < half; j += 2)
          for (let i = -half; i < half; i += 2)
            sum += Math.abs((a[(y + j) * width + x + i] ?? 0) - (b[(y + j + dy) * width + x + i + dx] ?? 0))
        return sum / (half * half)
      }
      let best = { cost: Infinity, dx: 0, dy: 0 }
      let sum = 0
      for (let dy = -reach; dy <= reach; dy++)
        for (let dx = -reach; dx <= reach; dx++) {
          const here = cost(dx, dy)
          sum += here
          if (here < best.cost) best = { cost: here, dx, dy }
        }
      const mean = sum / (reach * 2 + 1) ** 2
      if (mean < 5 || best.cost > mean * 0.45) continue
      const between = (before: number, after: number) => (before - after) / Math.max(1e-6, 2 * (before + after - 2 * best.cost))
      blocks.push({
        x: (x / width) * 2 - 1,
        y: (y / height) * 2 - 1,
        dx: best.dx + between(cost(best.dx - 1, best.dy), cost(best.dx + 1, best.dy)),
        dy: best.dy + between(cost(best.dx, best.dy - 1), cost(best.dx, best.dy + 1)),
      })
    }
  return blocks
}

export function movementOf(blocks: readonly Block[], { width, height }: Shape): Movement {
  const far = blocks.filter(({ y }) => y < -0.15)
  const near = blocks.filter(({ y }) => y > 0.35)
  const all = middleOf(blocks)
  return { ...all, far: middleOf(far), near: middleOf(near), growth: growthOf(blocks, { width, height }) }
}

/** The medians: some blocks are always astray. */
function middleOf(blocks: readonly Block[]): { x: number; y: number } {
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  return { x: median(blocks.map(({ dx }) => dx)), y: median(blocks.map(({ dy }) => dy)) }
}

/** By how much distances from the middle grow, as a share of them: a line through the sideways
 *  movement of all columns. */
function growthOf(blocks: readonly Block[], { width }: Shape): number {
  const median = middleOf(blocks).x
  const sound = blocks.filter(({ dx }) => Math.abs(dx - median) < 8)
  const mean = (of: (block: Block) => number) => sound.reduce((sum, block) => sum + of(block), 0) / Math.max(1, sound.length)
  const [x, dx] = [mean(block => block.x), mean(block => block.dx)]
  const slope =
    mean(block => (block.x - x) * (block.dx - dx)) /
    Math.max(
      1e-9,
      mean(block => (block.x - x) ** 2),
    )
  return slope / (width / 2)
}
