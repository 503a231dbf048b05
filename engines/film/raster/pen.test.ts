import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCanvas } from '@napi-rs/canvas'
import { Pen } from './pen.ts'
import { createStore } from './store.ts'

const size = { width: 96, height: 64 }

function both(paint: (draw: 'pen' | 'canvas', pen: Pen, context: ReturnType<ReturnType<typeof createCanvas>['getContext']>) => void) {
  const store = createStore()
  const pen = new Pen(store, store.surface(size.width, size.height))
  const canvas = createCanvas(size.width, size.height)
  const context = canvas.getContext('2d')
  paint('pen', pen, context)
  const bytes = store.bytes()
  const mine = new Uint8Array(size.width * size.height * 4)
  for (let y = 0; y < size.height; y++) {
    const row = pen.surface.at + y * pen.surface.stride
    mine.set(bytes.subarray(row, row + size.width * 4), y * size.width * 4)
  }
  return { mine, theirs: new Uint8Array(canvas.data()) }
}

function difference(a: Uint8Array, b: Uint8Array): { mean: number; most: number } {
  let [sum, most] = [0, 0]
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs((a[i] ?? 0) - (b[i] ?? 0))
    sum += d
    most = Math.max(most, d)
  }
  return { mean: sum / a.length, most }
}

const art = createCanvas(40, 30)
{
  const pen = art.getContext('2d')
  const glow = pen.createRadialGradient(20, 15, 2, 20, 15, 20)
  glow.addColorStop(0, 'rgba(255,160,40,1)')
  glow.addColorStop(0.5, 'rgba(40,90,200,1)')
  glow.addColorStop(1, 'rgba(40,90,200,0.2)')
  pen.fillStyle = glow
  pen.fillRect(2, 2, 36, 26)
}

for (const [name, turn, mirror] of [
  ['straight', 0, 1],
  ['mirrored', 0, -1],
  ['turned', 0.5, 1],
] as const)
  test(`a picture that is ${name} and scaled looks like the one that a canvas draws`, () => {
    const { mine, theirs } = both((_, pen, context) => {
      const whole = createCanvas(size.width, size.height)
      const fill = whole.getContext('2d')
      fill.fillStyle = '#705040'
      fill.fillRect(0, 0, size.width, size.height)
      pen.image(whole, { x: 0, y: 0, ...size })
      context.drawImage(whole, 0, 0)
      for (const one of [pen, context]) {
        one.translate(48.3, 30.6)
        one.rotate(turn)
        one.scale(1.3 * mirror, 1.2)
      }
      pen.alpha = 0.8
      context.globalAlpha = 0.8
      pen.image(art, { x: -20, y: -15, width: 40, height: 30 })
      context.drawImage(art, -20, -15)
    })
    const { mean, most } = difference(mine, theirs)
    assert.ok(mean < 0.8 && most < 40, `mean ${mean}, most ${most}`)
  })

test('light is added as with the blend mode "screen", and stays in its range', () => {
  for (const [mode, operation] of [
    ['screen', 'screen'],
    ['lighter', 'lighter'],
  ] as const) {
    const { mine, theirs } = both((_, pen, context) => {
      pen.image(art, { x: 0, y: 0, ...size })
      context.drawImage(art, 0, 0, size.width, size.height)
      pen.mode = mode
      context.globalCompositeOperation = operation
      pen.image(art, { x: 10, y: 5, width: 60, height: 50 })
      context.drawImage(art, 10, 5, 60, 50)
    })
    const inside = (pixels: Uint8Array) => [...pixels.subarray((30 * 96 + 40) * 4, (30 * 96 + 40) * 4 + 3)]
    for (const [index, value] of inside(mine).entries())
      assert.ok(Math.abs(value - (inside(theirs)[index] ?? 0)) < 4, `${mode} ${inside(mine)} ${inside(theirs)}`)
  }
})

test('where two copies of a translucent layer meet, every pixel is drawn by exactly one of them', () => {
  const haze = createCanvas(200, 40)
  const context = haze.getContext('2d')
  context.fillStyle = 'rgba(255,255,255,0.5)'
  context.fillRect(0, 0, 200, 40)
  for (const turn of [0, 0.03])
    for (const seam of [30, 30.25, 30.5, 30.8]) {
      const { mine } = both((_, pen) => {
        pen.rotate(turn)
        const sprite = pen.store.sprite(haze, { left: true, right: true })
        pen.image(sprite, { x: seam, y: -10, width: 260, height: 100 })
        pen.image(sprite, { x: seam, y: -10, width: -260, height: 100 })
      })
      const row = [...mine.subarray(32 * size.width * 4, 33 * size.width * 4)].filter((_, index) => index % 4 === 0)
      assert.deepEqual([Math.min(...row), Math.max(...row)], [row[80], row[80]], `turn ${turn}, seam at ${seam}: ${row.slice(24, 40)}`)
    }
})
