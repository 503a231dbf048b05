/** The inner loops of `raster/kernels.ts` as plain loops: what the tests hold them against, and what a film costs without WebAssembly. */
import type { Memory } from '@generation-gateway/kit/simd/assembler.ts'
import type { BlendMode, Kernels } from '../raster/kernels.ts'

/** The same routines, over the same memory: premultiplied RGBA. */
export function plainKernelsOn(memory: Memory): Kernels {
  let view = new Uint8ClampedArray(memory.buffer)
  const bytes = () => {
    if (view.buffer !== memory.buffer) view = new Uint8ClampedArray(memory.buffer)
    return view
  }
  const byMode = <Routine>(routineOf: (mode: BlendMode) => Routine): Record<BlendMode, Routine> => ({
    over: routineOf('over'),
    screen: routineOf('screen'),
    lighter: routineOf('lighter'),
    copy: routineOf('copy'),
  })
  const spots =
    (mode: BlendMode): Kernels['spots'][BlendMode] =>
    (to, count, from, stride, u, v, du, dv, alpha) => {
      const memory = bytes()
      for (let i = 0; i < count; i++) {
        const at = from + ((v + dv * i) >> 16) * stride + (((u + du * i) >> 16) << 2)
        const [down, along] = [((v + dv * i) >> 8) & 255, ((u + du * i) >> 8) & 255]
        put(memory, to + i * 4, { mode, alpha }, k => {
          const left = (memory[at + k]! * (256 - down) + memory[at + stride + k]! * down) >> 8
          const right = (memory[at + 4 + k]! * (256 - down) + memory[at + stride + 4 + k]! * down) >> 8
          return (left * (256 - along) + right * along) >> 8
        })
      }
    }
  return {
    across: byMode(mode => (to, count, row, u, du, alpha) => {
      const memory = bytes()
      for (let i = 0; i < count; i++) {
        const at = row + (((u + du * i) >> 16) << 2)
        const share = ((u + du * i) >> 8) & 255
        put(memory, to + i * 4, { mode, alpha }, k => (memory[at + k]! * (256 - share) + memory[at + 4 + k]! * share) >> 8)
      }
    }),
    spots: byMode(spots),
    stamps: byMode(mode => (to, count, from, stride, u, v, du, dv, alpha, toStride, rows) => {
      for (let row = 0; row < rows; row++) spots(mode)(to + row * toStride, count, from, stride, u, v + dv * row, du, 0, alpha)
    }),
    lay: (to, from, groups) => {
      const memory = bytes()
      for (let i = 0; i < groups * 4; i++) put(memory, to + i * 4, { mode: 'over', alpha: 256 }, k => memory[from + i * 4 + k]!)
    },
    mix: (to, a, b, groups, share) => {
      const memory = bytes()
      for (let i = 0; i < groups * 16; i++) memory[to + i] = (memory[a + i]! * (256 - share) + memory[b + i]! * share) >> 8
    },
    light: (to, groups, amounts) => {
      const memory = bytes()
      const forces = new Int16Array(memory.buffer, amounts, 4)
      for (let i = 0; i < groups * 16; i++) {
        const value = memory[to + i]!
        memory[to + i] = value + ((((value * (255 - value)) >> 8) * forces[i & 3]!) >> 8)
      }
    },
    planes: (y0, y1, u, v, row0, row1, groups, gains, noise0, noise1) => {
      const memory = bytes()
      const noise = new Int8Array(memory.buffer)
      const gain = new Int16Array(memory.buffer, gains, groups * 8)
      const scaled = (value: number, block: number) => (value * gain[block]! + 0x4000) >> 15
      for (let block = 0; block < groups * 8; block++) {
        const sum = [0, 0, 0]
        for (const x of [block * 2, block * 2 + 1]) {
          for (const [row, to, grain] of [
            [row0, y0, noise0],
            [row1, y1, noise1],
          ] as const) {
            const at = row + x * 4
            const light = (memory[at]! * 5983 + memory[at + 1]! * 20_127 + memory[at + 2]! * 2032) >> 8
            memory[to + x] = ((scaled(light, block) + 16 * 128 + 64) >> 7) + noise[grain + x]!
          }
          for (let k = 0; k < 3; k++) sum[k]! += (memory[row0 + x * 4 + k]! + memory[row1 + x * 4 + k]! + 1) >> 1
        }
        const [red, green, blue] = sum as [number, number, number]
        memory[u + block] = (scaled((-1649 * red - 5547 * green + 7196 * blue) >> 8, block) + 128 * 128 + 64) >> 7
        memory[v + block] = (scaled((7196 * red - 6536 * green - 660 * blue) >> 8, block) + 128 * 128 + 64) >> 7
      }
    },
  }
}

/** Puts the colour of a pixel on the one at `to`; `alpha` 0 to 256. */
function put(
  memory: Uint8ClampedArray,
  to: number,
  { mode, alpha }: { mode: BlendMode; alpha: number },
  colour: (channel: number) => number,
) {
  if (mode === 'copy') {
    const copied = [colour(0), colour(1), colour(2), colour(3)]
    memory.set(copied, to)
    return
  }
  const cover = (colour(3) * alpha) >> 8
  for (let k = 0; k < 4; k++) {
    const own = (colour(k) * alpha) >> 8
    const covered = mode === 'over' ? cover : mode === 'screen' ? own : 0
    memory[to + k] = own + ((memory[to + k]! * (255 - covered) + 255) >> 8)
  }
}
