import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFft } from './fft.ts'

test('a transform of any length with small factors equals the sum that defines it, and its inverse', () => {
  for (const size of [5, 12, 25, 84, 300, 1200]) {
    const re = Float64Array.from({ length: size }, (_, index) => Math.sin(index * index * 0.7 + 1))
    const im = Float64Array.from({ length: size }, (_, index) => Math.cos(1.3 * index * index))
    const fft = createFft(size)
    const outRe = re.slice()
    const outIm = im.slice()
    fft.forward(outRe, outIm)
    for (let bin = 0; bin < size; bin++) {
      let sumRe = 0
      let sumIm = 0
      for (let index = 0; index < size; index++) {
        const turn = (-2 * Math.PI * ((bin * index) % size)) / size
        sumRe += re[index]! * Math.cos(turn) - im[index]! * Math.sin(turn)
        sumIm += re[index]! * Math.sin(turn) + im[index]! * Math.cos(turn)
      }
      assert.ok(Math.hypot(sumRe - outRe[bin]!, sumIm - outIm[bin]!) < 1e-9, `bin ${bin} of ${size}`)
    }
    fft.inverse(outRe, outIm)
    for (let index = 0; index < size; index++)
      assert.ok(Math.hypot(outRe[index]! / size - re[index]!, outIm[index]! / size - im[index]!) < 1e-12, `value ${index} of ${size}`)
  }
})
