import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemory } from '@generation-gateway/kit/simd/assembler.ts'
import { createRandom } from '@generation-gateway/studio/random.ts'
import { plainKernelsOn } from '../testing/plain-kernels.ts'
import { type BlendMode, type Kernels, kernelsOn } from './kernels.ts'

const one = 65_536
const modes: readonly BlendMode[] = ['over', 'screen', 'lighter', 'copy']
const random = createRandom('film kernels')
const size = 2 * one
/** Layout of the test memory: eight rows of 256 premultiplied pixels that have every alpha, then
 *  pixels on which they are drawn, then space for results. */
const width = 256
const stride = width * 4
const [source, under, target, extra] = [0, 16_384, 32_768, 65_536] as const

/** Returns two memories with the same random bytes. The WebAssembly kernels run on one, the plain
 *  loops on the other. */
function twoMemories(): { kernels: Kernels; bytes: Uint8Array }[] {
  const seeds = new Uint8Array(size)
  for (let row = 0; row < 8; row++)
    for (let alpha = 0; alpha < 256; alpha++) {
      const colour = () => Math.round((random.integer(0, 255) * alpha) / 255)
      seeds.set([colour(), colour(), colour(), alpha], source + row * stride + alpha * 4)
      seeds.set([colour(), colour(), colour(), alpha], under + row * stride + (255 - alpha) * 4)
    }
  for (let i = extra; i < size; i++) seeds[i] = random.integer(0, 255)
  seeds.copyWithin(target, under, under + 8 * stride)
  return [kernelsOn, plainKernelsOn].map(make => {
    const memory = createMemory(2, 2)
    const bytes = new Uint8Array(memory.buffer)
    bytes.set(seeds)
    return { kernels: make(memory), bytes }
  })
}

/** Runs a kernel on both memories and compares their whole contents afterwards. */
function same(name: string, run: (kernels: Kernels, bytes: Uint8Array) => void): void {
  const [fast, plain] = twoMemories().map(({ kernels, bytes }) => {
    run(kernels, bytes)
    return bytes
  })
  const at = fast!.findIndex((value, k) => value !== plain![k])
  assert.equal(at, -1, `${name}: byte ${at} is ${fast![at]}, a plain loop gives ${plain![at]}`)
}

test('rows, turned pictures and stamps are blended like in plain loops, for every alpha of both', () => {
  for (const mode of modes)
    for (const alpha of [1, 127, 256]) {
      for (const [u, du] of [
        [0, one],
        [30_000, 41_234],
        [250 * one, -one],
      ] as const)
        same(`across ${mode} ${alpha}`, ({ across }) => across[mode](target, 251, source, u, du, alpha))
      same(`spots ${mode} ${alpha}`, ({ spots }) => spots[mode](target, 200, source, stride, 3 * one, 2 * one, 66_000, 1500, alpha))
      same(`stamps ${mode} ${alpha}`, ({ stamps }) =>
        stamps[mode](target, 61, source, stride, 70_000, 9000, 40_000, 50_000, alpha, stride, 5),
      )
    }
})

test('pixels laid over others, mixed rows and added light equal those of plain loops, for every alpha', () => {
  same('lay', ({ lay }) => lay(target, source, (8 * width) / 4))
  for (const share of [0, 1, 100, 255, 256]) same(`mix ${share}`, ({ mix }) => mix(target, source, under, (8 * width) / 4, share))
  for (const force of [-256, -90, 0, 120, 256])
    same(`light ${force}`, ({ light }, bytes) => {
      new Int16Array(bytes.buffer, extra, 8).set([force, force / 2, -force, 0, force, force / 2, -force, 0])
      light(target, (8 * width) / 4, extra)
    })
})

test('planes of brightness and colour equal those of plain loops, for all gains and grain', () => {
  same('planes', ({ planes }, bytes) => {
    const gains = new Int16Array(bytes.buffer, extra, width / 2)
    for (let i = 0; i < gains.length; i++) gains[i] = i % 8 === 0 ? 32_767 : (i * 7919) % 32_768
    const noise = extra + 2048
    for (let i = 0; i < width * 2; i++) bytes[noise + i] = ((i * 31) % 59) - 29
    planes(extra + 4096, extra + 5120, extra + 6144, extra + 7168, source, source + stride, width / 16, extra, noise, noise + width)
  })
})
