import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findPrivateNumbers } from '@generation-gateway/kit/safety/private-numbers.ts'
import { judgePrompt } from '@generation-gateway/kit/safety/prompt-rules.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { seriesScenes } from '../series/series.ts'
import { studioArt } from '../subjects/drawable.ts'
import { parseVaried } from '../variety/vary.ts'
import { describeScene } from './describe.ts'
import { expandPrompt } from './expand.ts'
import { splitCommands, squeezed } from './instruction/clauses.ts'
import { parseInstruction } from './instruction.ts'
import { finder, parsePrompt } from './parse.ts'
import { chooseSize } from './picture-shape.ts'
import { rawTokens } from './raw-tokens.ts'
import { readReferences } from './references.ts'
import { readSeries } from './series.ts'
import { longestPrompt, longTexts } from './testing/long-texts.ts'
import { tokenise } from './tokens.ts'

/** Largest CPU time, in ms, that reading a text may take (docs/decisions/0012). */
const mostMs = 50

const art = studioArt()
/** All functions of the studio that read text from callers. */
const readers: Record<string, (text: string) => unknown> = {
  'a prompt': text => parsePrompt(text, { seed: '1' }),
  'a prompt with what it leaves open': text => parseVaried(text, { seed: '1' }),
  'the steps of a series': text => readSeries(text),
  'the pictures of a series': text => seriesScenes(text, { seed: '1', most: 2 }),
  'an instruction for several pictures': text => readReferences(text, 14),
  'an instruction for two pictures': text => readReferences(`put the dog of image 1 into image 2 ${text}`, 2),
  'the shape of a picture': text => chooseSize(text, undefined, [{ width: 1024, height: 1024 }]),
  'a phrase of an instruction': text => parsePrompt(text, { seed: '1', isFragment: true }),
  'a negative prompt': negativePrompt => parsePrompt('two cats in red hats on a rainy street, 夜晚, neon', { seed: '1', negativePrompt }),
  'the expansion of a prompt': text => expandPrompt(text, '1'),
  'an instruction': text => parseInstruction(text),
  'the commands of an instruction': text => splitCommands(squeezed(text)),
  'the safety rules': text => judgePrompt(text, 0),
  'private numbers': text => findPrivateNumbers(text),
  'the tokens of a prompt': text => tokenise(text, finder(art)),
  'the raw tokens of a prompt': text => rawTokens(text),
  'the lettering of a prompt': text => parsePrompt(`a sign that says ${text}`, { seed: '1' }),
  'the description of a scene': text => describeScene(parsePrompt(text, { seed: '1' })),
}

before(() => {
  const usual = [
    'a red fox under a cherry tree, watercolor',
    '一只戴着红帽子的猫坐在桌子上',
    'add a cat and make it brighter',
    '把猫换成狗',
  ]
  for (let round = 0; round < 15; round++) for (const text of usual) for (const read of Object.values(readers)) read(text)
})

test('the tested shapes are as long as a prompt may be, and there are at least 60 of them', () => {
  const texts = longTexts()
  assert.ok(new Set(texts.map(({ text }) => text)).size >= 60)
  for (const { name, text } of texts) assert.equal(text.length, longestPrompt, name)
})

for (const [reader, read] of Object.entries(readers)) {
  test(`${reader} reads 8,192 characters of any shape in less than ${mostMs} ms`, () => {
    const slow: string[] = []
    for (const { name, text } of longTexts()) {
      const ms = leastCpuMs(() => read(text), mostMs)
      if (ms >= mostMs) slow.push(`${name}: ${ms.toFixed(0)} ms`)
    }
    assert.deepEqual(slow, [])
  })
}
