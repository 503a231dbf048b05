import assert from 'node:assert/strict'
import test from 'node:test'
import { parsePrompt } from './parse.ts'

const read = (prompt: string) => parsePrompt(prompt, { seed: '1' })

test('a text is written on the thing that is named after it, before it or around it', () => {
  const carriers: [string, string, string][] = [
    ["the words 'KEEP OFF THE GRASS' on a sign next to a lawn", 'sign', 'KEEP OFF THE GRASS'],
    ['a mug with "best dad" printed on it', 'mug', 'best dad'],
    ['a wooden boat with the name "Molly"', 'wooden boat', 'Molly'],
    ['the saying "BE KIND" written in faded paint on the hull of an old wooden boat', 'wooden boat', 'BE KIND'],
  ]
  for (const [prompt, noun, text] of carriers) {
    const scene = read(prompt)
    const [lettering] = scene.letterings
    assert.equal(lettering?.text, text, prompt)
    assert.equal(scene.subjects.find(({ id }) => id === lettering?.on)?.noun, noun, prompt)
  }
})

test('an apostrophe inside a word does not end a quotation', () => {
  for (const prompt of ["a book with the words 'Don't Panic!' written on it", 'a book with the words ‘Don’t Panic!’ written on it'])
    assert.match(parsePrompt(prompt, { seed: '1' }).letterings[0]?.text ?? '', /^Don['’]t Panic!$/)
})

test('a text on a wall, a street or sand is written on the setting', () => {
  const places: [string, string][] = [
    ["the words 'KEEP OUT' written on a brick wall", 'wall'],
    ["the word 'START' painted on a street", 'street'],
    ['a beach with "HELP" written in the sand', 'beach'],
  ]
  for (const [prompt, kind] of places) {
    const scene = read(prompt)
    assert.equal(scene.setting.kind, kind, prompt)
    assert.equal(scene.letterings[0]?.onPlace, true, prompt)
  }
})

test('a colour before a text or its letters is the colour of the text', () => {
  assert.equal(read("a truck with a blue '7' painted on its side").letterings[0]?.colour?.name, 'blue')
  assert.equal(read('the text "hello" in red letters').letterings[0]?.colour?.name, 'red')
})

test('a wall is the setting, unless somebody sits on it', () => {
  assert.equal(read('a bicycle leaning against a brick wall').setting.kind, 'wall')
  const { setting, subjects } = read('a cat sitting on a wall')
  assert.notEqual(setting.kind, 'wall')
  assert.deepEqual(
    subjects.map(({ noun }) => noun),
    ['cat', 'wall'],
  )
})

test('the material of letters is read from the words around them, and adds no thing', () => {
  for (const [prompt, made, place] of [
    ['the word OPEN in neon letters', 'neon', 'wall'],
    ['"hello" in glowing blue neon on a brick wall', 'neon', 'wall'],
    ['the word "LOVE" in graffiti on a wall', 'graffiti', 'wall'],
    ['"HOME" carved into wood', 'carved', 'wall'],
    ['"1984" carved into a stone wall', 'carved', 'wall'],
    ["the word 'PEACE' embroidered on fabric", 'embroidered', 'backdrop'],
    ['the letters ABC made of flowers', 'flowers', 'backdrop'],
    ['the text "Happy Birthday" in balloon letters', 'balloons', 'backdrop'],
  ] as const) {
    const scene = read(prompt)
    assert.deepEqual([scene.letterings[0]?.made, scene.setting.kind, scene.notDrawn, scene.subjects], [made, place, [], []], prompt)
  }
  assert.equal(read('"hello" in glowing blue neon on a brick wall').letterings[0]?.colour?.name, 'blue')
})

test('quoted words, a neon sign and flowers in a vase are no material of letters', () => {
  assert.deepEqual(read('a poster with the text "made of flowers"').letterings[0], { text: 'made of flowers' })
  assert.equal(read('a neon sign that says "OPEN"').letterings[0]?.made, undefined)
  assert.equal(read('a vase of flowers').letterings.length, 0)
})
