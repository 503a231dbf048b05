import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepareFont } from './fonts.ts'
import { drawLettering, fitText } from './lettering.ts'
import { createRaster, type Raster } from './pixels.ts'

test('text is in the named corner and nowhere else', () => {
  const grey = plain(400, 300, 120)
  const out = drawLettering(grey, { text: 'OPEN', place: { horizontal: 'right', vertical: 'top' } })
  assert.ok(changed(grey, out, { x: 200, y: 0, width: 200, height: 100 }) > 150)
  assert.equal(changed(grey, out, { x: 0, y: 0, width: 200, height: 300 }), 0)
  assert.equal(changed(grey, out, { x: 200, y: 150, width: 200, height: 150 }), 0)
})

test('Chinese and Latin are both drawn by the bundled font, each character differently', () => {
  assert.deepEqual(prepareFont('Hello 你好，世界！ñß').missing, [])
  assert.deepEqual(prepareFont('\u{10ffff}').missing, ['\u{10ffff}'])
  const grey = plain(300, 300, 120)
  const one = drawLettering(grey, { text: '你' })
  const other = drawLettering(grey, { text: '我' })
  assert.ok(changed(grey, one, whole(grey)) > 200)
  assert.ok(changed(one, other, whole(grey)) > 100)
})

test('text drawn later, with characters not used before, is drawn with the font too, and bold', () => {
  const grey = plain(300, 300, 120)
  for (const text of ['A', '飞', '龙', 'я', 'ñ']) {
    const ink = changed(grey, drawLettering(grey, { text, colour: { hex: '#ffffff', name: 'white' } }), whole(grey))
    const box = changed(grey, drawLettering(grey, { text: '\u{10ffff}', colour: { hex: '#ffffff', name: 'white' } }), whole(grey))
    assert.ok(ink > 150 && ink !== box, `${text}: ${ink} pixels, a missing sign has ${box}`)
  }
})

test('text without a colour is light on dark and dark on light, with a contrasting outline', () => {
  for (const tone of [20, 235]) {
    const out = drawLettering(plain(300, 200, tone), { text: 'TEST' })
    let lightest = 0
    let darkest = 255
    for (let i = 0; i < out.data.length; i += 4) {
      lightest = Math.max(lightest, out.data[i]!)
      darkest = Math.min(darkest, out.data[i]!)
    }
    assert.ok(lightest > 230 && darkest < 45, `${tone}: ${darkest} to ${lightest}`)
  }
})

test('a requested colour is used', () => {
  const out = drawLettering(plain(300, 200, 30), { text: 'TEST', colour: { hex: '#e01020', name: 'red' } })
  let red = 0
  for (let i = 0; i < out.data.length; i += 4) if (out.data[i]! > 200 && out.data[i + 1]! < 40) red++
  assert.ok(red > 100)
})

test('long text is broken and made smaller until it fits, Chinese between any characters', () => {
  const box = { width: 200, height: 120 }
  const english = fitText('The quick brown fox jumps over the lazy dog and runs away', box, { smallest: 6, largest: 60 })
  assert.ok(english.lines.length > 1 && english.width <= 200 && english.height <= 120)
  const chinese = fitText('暴风雨中的三艘帆船勇敢地驶向远方的灯塔', box, { smallest: 6, largest: 60 })
  assert.ok(chinese.lines.length > 1 && chinese.width <= 200 && chinese.height <= 120)
  assert.equal(fitText('OPEN', box, { smallest: 6, largest: 60 }).lines.length, 1)
})

test('tiny pictures can have text', () => {
  const out = drawLettering(plain(16, 16, 90), { text: 'Hello world 你好' })
  assert.deepEqual([out.width, out.height], [16, 16])
})

function plain(width: number, height: number, tone: number): Raster {
  const out = createRaster(width, height)
  out.data.fill(tone)
  for (let i = 3; i < out.data.length; i += 4) out.data[i] = 255
  return out
}

function whole(raster: Raster): { x: number; y: number; width: number; height: number } {
  return { x: 0, y: 0, width: raster.width, height: raster.height }
}

/** Returns the number of pixels in an area that differ between two pictures. */
function changed(a: Raster, b: Raster, area: { x: number; y: number; width: number; height: number }): number {
  let count = 0
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let x = area.x; x < area.x + area.width; x++)
      if (Math.abs(a.data[(y * a.width + x) * 4]! - b.data[(y * b.width + x) * 4]!) > 8) count++
  }
  return count
}
