/** Measures block by block how the picture moved between two frames, to find out what the camera
 *  did. */
import type { Shape } from './frames.ts'

interface Block {
  /** Centre of the block: -1 (left, top) to 1 (right, bottom). */
  x: number
  y: number
  /** Movement in pixels, to the right and downwards. */
  dx: number
  dy: number
}

export interface Movement {
  /** Median movement in pixels: of all blocks (`x`, `y`), of those in about the upper two fifths
   *  (`far`) and of those in about the lower third (`near`). */
  x: number
  y: number
  far: { x: number; y: number }
  near: { x: number; y: number }
  /** Relative growth of the distances between points and the centre of the picture; 0 when nothing
   *  grows. */
  growth: number
}

const half = 10

/** Returns the movement of those blocks that have enough detail to be found again in the second
 *  frame, at most `reach` pixels away. Frames are RGBA. */
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

/** Returns the median movement. The mean would be wrong, because a few blocks are always matched
 *  wrongly. */
function middleOf(blocks: readonly Block[]): { x: number; y: number } {
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  return { x: median(blocks.map(({ dx }) => dx)), y: median(blocks.map(({ dy }) => dy)) }
}

/** Returns the share by which the distances from the centre grow. The share is the slope of a line
 *  through the horizontal movements of all blocks. */
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
