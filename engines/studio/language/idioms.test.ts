import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scene } from '../scene.ts'
import { parsePrompt } from './parse.ts'

const parse = (prompt: string): Scene => parsePrompt(prompt, { seed: '1' })
const brief = (prompt: string) =>
  parse(prompt).subjects.map(({ noun, art, count, colour }) => `${count} ${colour ? `${colour.name} ` : ''}${noun} ${art}`)
const looksOf = (prompt: string) => parse(prompt).subjects[0]?.looks ?? []

test('a thing in the shape of another one has that outline and its own material', () => {
  assert.deepEqual([brief('a cookie shaped like a star'), looksOf('a cookie shaped like a star')], [['1 cookie noto:star'], ['spongy']])
  assert.deepEqual(
    [brief('a cloud in the shape of a castle'), looksOf('a cloud in the shape of a castle')],
    [['1 cloud noto:castle'], ['cloudy']],
  )
  assert.deepEqual(brief('a yellow diamond-shaped sign'), ['1 yellow sign drawn:diamond-sign'])
  assert.match(parse('an armchair in the shape of an avocado').notDrawn.join(), /not shaped like avocado/)
})

test('stacks, piles and rows are read as arrangements', () => {
  assert.deepEqual(looksOf('three elephants standing on top of each other'), ['stacked'])
  assert.deepEqual([brief('a tower of teacups')[0]?.split(' ')[0], looksOf('a tower of teacups')], ['5', ['stacked']])
  assert.deepEqual(looksOf('a pile of oranges'), ['piled'])
  assert.deepEqual(looksOf('three elephants in a row'), ['in a row'])
})

test('a list of colours is divided among a group', () => {
  assert.deepEqual(
    brief('five balloons in red, blue and yellow').map(words => words.slice(0, 8)),
    ['2 red ba', '2 blue b', '1 yellow'],
  )
  assert.deepEqual(brief('a red and white umbrella').length, 1)
})

test('the contents of a thing are in it, in large numbers', () => {
  const [jar, buttons] = parse('a jar full of buttons').subjects
  assert.deepEqual(
    [jar?.noun, buttons?.noun, buttons?.relations[0]?.kind, (buttons?.count ?? 0) > 9],
    ['jar', 'button', 'printed-on', true],
  )
  assert.equal(parse('a basket full of oranges').subjects[1]?.relations[0]?.kind, 'in')
})

test('drums are played, and a thing tossed into the air does not choose the sky as setting', () => {
  assert.deepEqual(
    parse('an octopus playing the drums').subjects.map(({ noun }) => noun),
    ['octopus', 'drums'],
  )
  assert.notEqual(parse('a chef tossing pizza in the air').setting.kind, 'sky')
  assert.equal(parse('a balloon in the air').setting.kind, 'sky')
})

test('missing, counted or painted parts that no drawing shows are reported', () => {
  for (const [prompt, lost] of [
    ['a fish without eyes', 'without eyes'],
    ['a castle with no windows', 'without windows'],
    ['a pickup truck missing its wheels', 'without wheels'],
    ['a cat with four eyes', 'four eyes'],
    ['a ceiling fan with four white blades', 'four white blades'],
  ] as const) {
    const { notDrawn, subjects } = parse(prompt)
    assert.deepEqual([notDrawn, subjects.length], [[lost], 1], prompt)
  }
  assert.deepEqual(parse('a dog without a leash, with two ears').notDrawn, [])
})

test('a part without its own drawing means the whole thing', () => {
  assert.equal(parse('a crown with a ruby in its center').subjects[1]?.relations[0]?.kind, 'printed-on')
  assert.equal(parse('a wine bottle with a lit candle stuck in its spout').subjects[1]?.relations[0]?.kind, 'in')
  assert.equal(parse('a tree with red leaves').subjects[0]?.colour?.name, 'red')
})

test('general words of the dictionary are not drawn as some other thing', () => {
  for (const prompt of ['a fire hydrant with graffiti on it', 'a hat with a decal on it', 'a ladder with a rim'])
    assert.ok(!parse(prompt).subjects.some(({ art }) => /ornament|noto:ring/.test(art)), prompt)
  assert.deepEqual(
    parse('a badger. A waterfall can be seen in the background').subjects.map(({ noun }) => noun),
    ['badger'],
  )
})

test('a participle ends the noun before it', () => {
  assert.deepEqual(
    parse('a kite stuck high in a tree').subjects.map(({ noun }) => noun),
    ['kite', 'tree'],
  )
  assert.deepEqual(
    parse('the trophy doesn’t fit into the suitcase').subjects.map(({ noun }) => noun),
    ['trophy', 'suitcase'],
  )
})

test('cut and sliced things and diagrams have that look', () => {
  assert.ok(looksOf('an apple cut in half').includes('halved'))
  assert.ok(looksOf('slices of avocado').includes('sliced'))
  assert.ok(parse('a diagram of a house').setting.details.includes('diagram'))
  assert.equal(parse('a black and white photograph of a tree').style, 'noir')
})

test('each of two cups has its own latte art', () => {
  const { subjects, letterings } = parse('Two cups of coffee, one with latte art of a heart. The other has latte art of a star.')
  assert.deepEqual(
    subjects.map(({ art }) => art),
    ['drawn:latte-top', 'noto:red-heart', 'drawn:latte-top', 'noto:star'],
  )
  assert.equal(letterings.length, 0)
})

test('a statue is drawn as the thing it shows, in the material of the statue', () => {
  const [horse] = parse('a bronze statue of a horse').subjects
  assert.deepEqual([horse?.noun, horse?.looks.includes('copper'), horse?.looks.includes('statue')], ['horse', true, true])
  assert.equal(parse('a wooden owl statue').subjects[0]?.art, 'noto:owl')
  assert.ok(looksOf('a statue of a man').includes('stone'))
  assert.equal(parse('a statue').subjects[0]?.art, 'drawn:statue')
})

test('a fallen thing lies, and a number or a text on a thing is written on it', () => {
  assert.ok(looksOf('a green bottle lying on its side').includes('toppled'))
  assert.ok(looksOf('a stop sign knocked over on a sidewalk').includes('toppled'))
  const textOf = (prompt: string) => parse(prompt).letterings.map(({ text, on }) => `${text}@${on}`)
  assert.deepEqual(textOf('a birthday cake with the number 7 on it'), ['7@s1'])
  assert.deepEqual(textOf('a robot with the word HELLO on its chest'), ['HELLO@s1'])
  assert.deepEqual(textOf('a blackboard with 2+2=4 on it'), ['2+2=4@s1'])
})

test('a wolf that howls at the moon has a moon above it, and a painted moon is no moon in the sky', () => {
  const wolf = parse('a wolf howling at the moon')
  assert.deepEqual([wolf.setting.kind, wolf.time], ['hills', 'night'])
  assert.ok(parse('graffiti of a smiling moon on a brick wall').subjects.some(({ noun }) => noun === 'moon'))
})

test('a part in close-up has its own drawing, with the thing it holds', () => {
  assert.equal(parse('the eye of a cat in close-up').subjects[0]?.art, 'drawn:cat-eye')
  assert.equal(parse('a close-up of a blue eye').subjects[0]?.art, 'drawn:human-eye')
  const [hand, lemon] = parse('a hand holding a lemon').subjects
  assert.deepEqual([hand?.art, hand?.relations, lemon?.noun], ['drawn:closed-hand', [{ kind: 'holding', of: 's2' }], 'lemon'])
})

test('a board is flat under its rider, and upright otherwise', () => {
  const boardIn = (prompt: string) => parse(prompt).subjects.find(({ noun }) => noun.includes('board'))?.art
  for (const prompt of ['a dog surfing', 'a man riding a surfboard', 'a woman standing on a snowboard'])
    assert.equal(boardIn(prompt), 'drawn:flat-surfboard', prompt)
  assert.equal(boardIn('a surfboard on the beach'), 'drawn:surfboard')
  assert.equal(boardIn('a girl holding a surfboard'), 'drawn:surfboard')
})

test('a person who looks into a mirror is drawn in front of it and in it', () => {
  const [cat, mirror, image] = parse('a cat looking at itself in a mirror').subjects
  assert.deepEqual([cat?.relations[0]?.kind, mirror?.art], ['facing', 'noto:mirror'])
  assert.deepEqual([image?.art, image?.relations, image?.origin?.id], [cat?.art, [{ kind: 'printed-on', of: 's2' }], 's1'])
})

test('a negation does not include the place of the thing', () => {
  assert.deepEqual(
    parse('a violin without strings on a chair').subjects.map(({ noun }) => noun),
    ['violin', 'chair'],
  )
})

test('a poster on a wall can have a text and a picture, and an unknown style does not hide the painted thing', () => {
  const [poster, bee] = parse('a wall with a poster that says SAVE THE BEES with a bee on it').subjects
  assert.deepEqual([poster?.art, poster?.looks, bee?.relations], ['drawn:blank-poster', ['captioned'], [{ kind: 'printed-on', of: 's1' }]])
  const violin = parse('a naive painting of a violin')
  assert.deepEqual([violin.subjects.map(({ noun }) => noun), violin.notDrawn], [['violin'], ['naive']])
})

test('a pyramid of things is a pile, a person whose hair is cut is drawn, and a thing carried on a back is on it', () => {
  assert.ok(looksOf('a pyramid of glass cubes').includes('piled'))
  assert.equal(parse('the Great Pyramid').subjects[0]?.art.includes('pyramid'), true)
  assert.deepEqual(
    parse("a barber cutting a boy's hair").subjects.map(({ noun }) => noun),
    ['barber', 'boy'],
  )
  const [, snail] = parse('a turtle carrying a snail on its back').subjects
  assert.deepEqual(snail?.relations, [{ kind: 'on', of: 's1', part: 'back' }])
})
