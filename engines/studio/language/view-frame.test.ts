import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeScene } from '../compose.ts'
import type { ViewFrame } from '../scene.ts'
import { parsePrompt } from './parse.ts'

const framed: [prompt: string, through: ViewFrame, setting: string][] = [
  ['a city seen through a window with rain drops', 'window', 'city'],
  ['a snowy village, as seen from inside a tent', 'tent', 'village'],
  ['a view of the sea through a porthole', 'porthole', 'sea'],
  ['a forest viewed through a train window in winter', 'window', 'forest'],
  ['the desert seen through the windshield of a car', 'car', 'desert'],
  ['the moon surface viewed through the window of a spaceship', 'porthole', 'moon'],
  ['a beach seen from inside a cave', 'cave', 'beach'],
  ['through the window, a garden with roses', 'window', 'garden'],
]

test('the thing that the viewer looks through frames the picture, and is no thing in it', () => {
  for (const [prompt, through, setting] of framed) {
    const scene = parsePrompt(prompt, { seed: '1' })
    assert.deepEqual([scene.camera.through, scene.setting.kind], [through, setting], prompt)
    assert.ok(!scene.subjects.some(({ noun }) => /window|tent|cave|porthole|car|train/.test(noun)), prompt)
    assert.deepEqual(scene.notDrawn, [], prompt)
  }
})

test('there is no frame if somebody in the picture looks through it, or if only the thing is named', () => {
  for (const prompt of [
    'a cat looking through a window',
    'a man looking out of the window of a train',
    'a window',
    'a car driving through a tunnel',
    'a dog seen from the house',
    'through a window',
  ]) {
    assert.equal(parsePrompt(prompt, { seed: '1' }).camera.through, undefined, prompt)
  }
})

test('the frame covers the edges and keeps the middle free', async () => {
  const pixels = async (prompt: string) => {
    const canvas = await composeScene(parsePrompt(prompt, { seed: '3' }), { width: 200, height: 200 })
    const data = canvas.data()
    return (x: number, y: number) => [...data.subarray((y * 200 + x) * 4, (y * 200 + x) * 4 + 3)]
  }
  const plain = await pixels('a beach')
  const seen = await pixels('a beach seen through a keyhole')
  assert.deepEqual(seen(100, 90), plain(100, 90))
  assert.ok(Math.max(...seen(6, 100)) < 30 && Math.max(...plain(6, 100)) > 90)
})
