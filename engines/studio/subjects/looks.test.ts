import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCanvas } from '@napi-rs/canvas'
import { applyLooks } from './looks.ts'
import { subjectOf } from './testing.ts'

function meanOf(looks: string[]): number[] {
  const sprite = createCanvas(40, 40)
  const context = sprite.getContext('2d')
  context.fillStyle = '#d02020'
  context.fillRect(0, 0, 40, 40)
  const { data } = applyLooks(sprite, { ...subjectOf('s1', 'noto:red-apple', 0.1), looks })
    .getContext('2d')
    .getImageData(0, 0, 40, 40)
  return [0, 1, 2, 3].map(c => data.reduce((sum, value, index) => (index % 4 === c ? sum + value : sum), 0) / 1600)
}

test('a material replaces the colours of the drawing, and glass is transparent', () => {
  const [goldRed = 0, goldGreen = 0, goldBlue = 0] = meanOf(['golden'])
  assert.ok(goldRed > goldGreen && goldGreen > goldBlue + 40, `gold is ${goldRed} ${goldGreen} ${goldBlue}`)
  const [grassRed = 0, grassGreen = 0] = meanOf(['grassy'])
  assert.ok(grassGreen > grassRed, `grass is ${grassRed} ${grassGreen}`)
  assert.ok((meanOf(['glass'])[3] ?? 255) < 230)
  assert.deepEqual(meanOf([]), [208, 32, 32, 255])
})
