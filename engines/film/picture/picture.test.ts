import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseVaried } from '@generation-gateway/studio/variety/vary.ts'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { difference, frameAt } from '../testing/frames.ts'
import { brushOf } from './masks.ts'
import { pictureClip } from './picture-clip.ts'

const picture = { width: 192, height: 108 }

/** Returns a picture of a blue sky over a green field with a red ball. */
function painting(ballX: number, sky = '#5a9ae0'): Canvas {
  const canvas = createCanvas(picture.width, picture.height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = sky
  pen.fillRect(0, 0, 192, 60)
  pen.fillStyle = '#4a8a3a'
  pen.fillRect(0, 60, 192, 48)
  for (let i = 0; i < 40; i++) {
    pen.fillStyle = i % 2 ? '#3a7230' : '#62a04c'
    pen.fillRect((i * 47) % 192, 62 + ((i * 31) % 44), 7, 3)
  }
  pen.fillStyle = '#d02020'
  pen.beginPath()
  pen.arc(ballX, 70, 14, 0, 7)
  pen.fill()
  return canvas
}

const shot = { picture, seconds: 2, frameSeconds: 0.1, seed: '3', scene: parseVaried('', { seed: '3' }) }

test('a clip begins with exactly the given picture, and moves on', () => {
  const first = painting(90)
  const clip = pictureClip({ ...shot, first, steps: [{ depth: 6 }] })
  assert.equal(difference(frameAt(clip, picture, 0), new Uint8Array(first.data())), 0)
  assert.ok(difference(frameAt(clip, picture, 0.1), new Uint8Array(first.data())) < 4, 'without a jump')
  assert.ok(difference(frameAt(clip, picture, 1.9), new Uint8Array(first.data())) > 3)
})

test('a clip with two pictures ends with exactly the last one, similar to the first or not', () => {
  for (const last of [painting(120), painting(30, '#f0b060')]) {
    const first = painting(90)
    const clip = pictureClip({ ...shot, first, last, steps: [] })
    assert.equal(difference(frameAt(clip, picture, 0), new Uint8Array(first.data())), 0)
    assert.equal(difference(frameAt(clip, picture, 1.9), new Uint8Array(last.data())), 0)
  }
})

test('a thing that differs a little in place between two pictures moves there instead of fading', () => {
  const clip = pictureClip({ ...shot, first: painting(80), last: painting(100), steps: [] })
  const middle = frameAt(clip, picture, 0.95)
  const redAt = (x: number) => (middle[(70 * 192 + x) * 4] ?? 0) - (middle[(70 * 192 + x) * 4 + 1] ?? 0)
  assert.ok(redAt(90) > 150, 'the ball is half way')
})

test('a motion brush moves its part along the path, measured from the lower left corner, and the hole is filled', () => {
  const first = painting(60)
  const mask = createCanvas(picture.width, picture.height)
  const pen = mask.getContext('2d')
  pen.fillStyle = '#ffffff'
  pen.beginPath()
  pen.arc(60, 70, 17, 0, 7)
  pen.fill()
  const brush = brushOf({
    picture: first,
    motion: [
      {
        mask,
        path: [
          { x: 60, y: 38 },
          { x: 140, y: 78 },
        ],
      },
    ],
    pathSize: picture,
  })
  assert.ok(brush)
  const clip = pictureClip({ ...shot, first, brush, steps: [{}] })
  assert.equal(difference(frameAt(clip, picture, 0), new Uint8Array(first.data())), 0)
  const last = frameAt(clip, picture, 1.9)
  const at = (x: number, y: number) => [...last.subarray((y * 192 + x) * 4, (y * 192 + x) * 4 + 3)]
  const [red = 0, green = 0] = at(140, 30)
  assert.ok(red > 180 && green < 70, `the ball is there: ${at(140, 30)}`)
  const [left = 0, behind = 0] = at(60, 70)
  assert.ok(left < 150 && behind > 60, `and no longer here: ${at(60, 70)}`)
})
