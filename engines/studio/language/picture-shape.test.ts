import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from './parse.ts'
import { chooseSize } from './picture-shape.ts'

/** The picture sizes of the tier `1K`, one for each aspect ratio. */
const sizes = ['1024x1024', '1152x864', '864x1152', '1280x720', '720x1280', '1248x832', '832x1248', '1512x648'].map(size => {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
})

function chosen(prompt: string): string | undefined {
  const size = chooseSize(prompt, parsePrompt(prompt, { seed: '1' }), sizes)
  return size && `${size.width}x${size.height}`
}

const cases: [string, string | undefined][] = [
  ['a cat, 16:9', '1280x720'],
  ['a cat, 9:16 aspect ratio', '720x1280'],
  ['一只猫，比例3：4', '864x1152'],
  ['a cat 1080x1920', '720x1280'],
  ['a square picture of a cat', '1024x1024'],
  ['a vertical poster for a jazz concert', '832x1248'],
  ['a portrait of an old woman', '864x1152'],
  ['a phone wallpaper with a whale', '720x1280'],
  ['手机壁纸，一条鲸鱼', '720x1280'],
  ['a panorama of the alps', '1512x648'],
  ['a website banner with three cups of coffee', '1512x648'],
  ['a wide shot of a horse', '1280x720'],
  ['a desktop wallpaper with a fox', '1280x720'],
  ['竖版，一个女孩', '832x1248'],
  ['横幅，红色的汽车', '1512x648'],
  ['横版插画，小狗', '1248x832'],
  ['an avatar of a robot', '1024x1024'],
  // The following prompts get a shape only because of what they show.
  ['a lighthouse', '832x1248'],
  ['snowy mountains at dawn', '1248x832'],
  // The following prompts suggest no shape.
  ['a cat', undefined],
  ['a clock that shows 7:30', undefined],
  ['a train at 4:3 pm', undefined],
  ['a wide river with a boat', undefined],
  ['a man and a dog in a park', undefined],
]

for (const [prompt, size] of cases) test(`“${prompt}” takes ${size ?? 'the size of the request'}`, () => assert.equal(chosen(prompt), size))
