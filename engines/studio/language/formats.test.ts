import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawScene } from '../draw-scene.ts'
import { takeFormat } from './formats.ts'
import { readPainters } from './painters.ts'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string) => parsePrompt(prompt, { seed: '3' })

test('a printed format, its picture and its text are read separately', () => {
  const poster = parse('a poster of a lighthouse at night with the words "SEE THE SEA"')
  assert.equal(poster.format?.kind, 'poster')
  assert.deepEqual(
    poster.letterings.map(({ text }) => text),
    ['SEE THE SEA'],
  )
  assert.deepEqual([poster.subjects.map(({ noun }) => noun), poster.time, poster.notDrawn], [['lighthouse'], 'night', []])
  const cover = parse("the cover of a novel titled 'Cold Harbor' by Anna Field with a sailboat")
  assert.equal(cover.format?.kind, 'cover')
  assert.deepEqual(
    cover.letterings.map(({ text }) => text),
    ['Cold Harbor', 'Anna Field'],
  )
  assert.equal(cover.subjects[0]?.noun, 'sailboat')
})

test('an instant photograph is a format, and an art style of a poster chooses its frame', () => {
  assert.equal(parse('a polaroid of a dog on the beach').format?.kind, 'polaroid')
  assert.equal(parse('a polaroid camera on a table').format, undefined)
  for (const [prompt, manner] of [
    ['an art deco poster of a city', 'deco'],
    ['an art nouveau poster of a woman with flowers', 'nouveau'],
  ] as const) {
    const scene = parse(prompt)
    assert.deepEqual([scene.format, scene.notDrawn], [{ kind: 'poster', manner }, []], prompt)
  }
})

test('a poster in a place is a thing of the scene', () => {
  for (const prompt of ['a poster on a brick wall', 'a logo on a coffee mug', 'a woman holding a birthday card', 'a comic book on a table'])
    assert.equal(parse(prompt).format, undefined, prompt)
})

test('the panels of a comic are counted, and each picture of a grid has its own expression', () => {
  assert.equal(parse('a comic strip with four panels about a pig flying a kite').format?.panels, 4)
  assert.equal(parse('a six-panel comic of a pig flying a kite').format?.panels, 6)
  const grid = takeFormat('A set of 2x2 emoji icons with happy, sad, angry and sleepy faces. The emoji icons look like pumpkins.')
  assert.deepEqual(grid.format, { kind: 'grid', panels: 4, looks: ['happy', 'sad', 'angry', 'sleepy'] })
  assert.match(grid.text, /^a pumpkin/)
})

test('a trade or an occasion is shown by a thing that stands for it', () => {
  assert.equal(parse('a logo for a bakery').subjects[0]?.noun, 'loaf of bread')
  assert.equal(parse('a christmas card').subjects[0]?.noun, 'christmas tree')
  assert.equal(parse('a logo of an owl for a bakery').subjects[0]?.noun, 'owl')
})

test('a painter in whose manner it is painted chooses the style and is no person in the picture', () => {
  for (const [prompt, style] of [
    ['a violin in the style of Picasso', 'cubist'],
    ['a horse in the style of Leonardo da Vinci', 'sketch'],
    ['a bowl of fruit, painted by Frida Kahlo', 'oil'],
    ['a cat in the manner of Henri Matisse', 'paper-cut'],
  ] as const) {
    const scene = parse(prompt)
    assert.deepEqual([scene.style, scene.subjects.filter(({ person }) => person).length], [style, 0], prompt)
  }
  assert.equal(readPainters('Salvador Dali holding a melting clock'), 'Salvador Dali holding a melting clock')
})

test('a picture of every format has the requested size, its paper at the edge and its scene inside', async () => {
  for (const prompt of [
    'a poster of a red barn',
    'an art deco poster of a red barn',
    'an art nouveau poster of a red barn',
    'a polaroid of a red barn',
    'a book cover with a red barn',
    'a birthday card with a red barn',
    'a postage stamp with a red barn',
    'a logo of a red barn',
    'an app icon of a red barn',
    'a comic strip about a red barn',
    'a set of 2x2 icons with happy, sad, angry and sleepy faces. The icons look like red barns.',
  ]) {
    const { data, width, height } = await drawScene(parse(prompt), { width: 160, height: 120 })
    assert.deepEqual([width, height, data.length], [160, 120, 160 * 120 * 4], prompt)
    let red = 0
    for (let i = 0; i < data.length; i += 4) if ((data[i] ?? 0) > 120 && (data[i + 1] ?? 0) < 95 && (data[i + 2] ?? 0) < 95) red++
    assert.ok(red > 100, `${prompt}: ${red} red pixels`)
    const rim = Array.from({ length: 4 }, (_, k) => data[(1 + k * 38) * 4] ?? 0)
    assert.ok(Math.max(...rim) - Math.min(...rim) < 60, `${prompt}: ${rim}`)
  }
})
