import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from './random.ts'
import { createRaster, type Raster } from './style/pixels.ts'
import { drawWatermark, watermarkBox } from './watermark.ts'

const kinds: Record<string, (x: number, y: number) => number> = {
  white: () => 255,
  black: () => 0,
  grey: () => 120,
  checks: (x, y) => (((x >> 3) + (y >> 3)) % 2 === 0 ? 250 : 10),
  noise: (() => {
    const random = createRandom('noise')
    return () => random.integer(0, 255)
  })(),
}

for (const [kind, tone] of Object.entries(kinds)) {
  test(`the watermark is readable on ${kind}, and changes only its corner`, () => {
    for (const [width, height] of [
      [400, 300],
      [1024, 1024],
      [64, 640],
    ] as const) {
      const before = picture(width, height, tone)
      const after = drawWatermark(before)
      const box = watermarkBox(before)
      const inside: number[] = []
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const i = (y * width + x) * 4
          const isInside = x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height
          if (isInside) inside.push(luminance(after.data[i]!))
          else assert.equal(after.data[i], before.data[i])
        }
      }
      inside.sort((a, b) => a - b)
      const at = (share: number) => inside[Math.floor((inside.length - 1) * share)]!
      // Letters cover less than half of the box, so the median pixel is the background, and the
      // lightest or darkest pixels are ink.
      const contrast = Math.max((at(0.99) + 0.05) / (at(0.5) + 0.05), (at(0.5) + 0.05) / (at(0.01) + 0.05))
      assert.ok(contrast >= 4.5, `${width}x${height}: ${contrast}`)
      assert.ok(box.width * box.height < width * height * 0.03, `${box.width}x${box.height}`)
    }
  })
}

test('the size of the watermark is in proportion to the picture', () => {
  const [small, large] = [watermarkBox({ width: 512, height: 512 }), watermarkBox({ width: 2048, height: 2048 })]
  assert.ok(Math.abs(large.height / small.height - 4) < 0.4, `${small.height} ${large.height}`)
})

function picture(width: number, height: number, tone: (x: number, y: number) => number): Raster {
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = tone(x, y)
      out.data.set([value, value, value, 255], (y * width + x) * 4)
    }
  }
  return out
}

function luminance(value: number): number {
  const v = value / 255
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
}
