import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReferencePlan, readReferences } from './references.ts'

const cases: [string, Partial<ReferencePlan>][] = [
  ['put the dog of image 1 into the room of image 2', { place: 1, things: [{ picture: 0, words: 'dog' }] }],
  [
    'Put the dog from image 1 next to the cat in image 2 and use the style of picture 3',
    { place: 1, style: 2, things: [{ picture: 0, words: 'dog', anchor: { picture: 1, words: 'cat', relation: 'beside' } }] },
  ],
  [
    'the logo of image 2 on the cup of image 1',
    { place: 0, things: [{ picture: 1, words: 'logo', anchor: { picture: 0, words: 'cup', relation: 'on' } }] },
  ],
  ['use image 2 as the background for image 1', { place: 1, things: [{ picture: 0, words: '' }] }],
  [
    'Place the girl of the first picture in the second picture, make it night',
    { place: 1, things: [{ picture: 0, words: 'girl' }], rest: ['make it night'] },
  ],
  ["apply image 3's palette to image 1", { palette: 2, things: [{ picture: 0, words: '' }] }],
  ["image 1's fox in image 2's forest, in the colors of image 3", { place: 1, palette: 2, things: [{ picture: 0, words: 'fox' }] }],
  ['把图1的狗放到图2的房间里', { place: 1, things: [{ picture: 0, words: '狗' }] }],
  [
    '把图2中的标志贴到图1的杯子上，使用图3的风格',
    { place: 0, style: 2, things: [{ picture: 1, words: '标志', anchor: { picture: 0, words: '杯子', relation: 'on' } }] },
  ],
  [
    'combine image 1 and image 2',
    {
      things: [
        { picture: 0, words: '' },
        { picture: 1, words: '' },
      ],
    },
  ],
]

for (const [prompt, plan] of cases) test(`“${prompt}”`, () => assert.deepEqual(readReferences(prompt, 3), { rest: [], ...plan }))

test('an instruction that names no picture, or a missing one, is read like any other', () => {
  assert.equal(readReferences('make it winter', 3), undefined)
  assert.equal(readReferences('put the dog of image 9 here', 3), undefined)
})
