import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandPrompt } from './expand.ts'
import { additions, settingPhrases } from './expand-words.ts'
import { parsePrompt } from './parse.ts'
import { factsOf } from './testing/facts.ts'

const prompts = [
  'a red fox',
  'a cup of coffee',
  'three sailboats at night',
  'a man in a black suit, oil painting',
  'sunset',
  'abstract blue',
  'a rocket',
  'two brown dogs and a black cat in a meadow',
  'a whale',
  'a castle, no clouds',
  'a lion',
  'a woman, pink background',
  'a snowman',
  'a chef cooking pasta',
  'close-up of a bee on a purple flower',
  '一只猫',
  '三只狗在雪地里',
  '一杯咖啡',
  '夜晚的城市',
  '一位骑士骑着白马，油画',
  '一头狮子',
  '宇航员',
]

test('an expanded prompt begins with the prompt, is longer, and is the same for the same seed', () => {
  for (const prompt of prompts) {
    const expanded = expandPrompt(prompt, '42')
    assert.ok(expanded.startsWith(prompt), expanded)
    assert.ok(expanded.length > prompt.length, expanded)
    assert.equal(expanded, expandPrompt(prompt, '42'))
  }
})

test('seeds choose different additions', () => {
  const variants = new Set(Array.from({ length: 12 }, (_, seed) => expandPrompt('a red fox', String(seed))))
  assert.ok(variants.size >= 6, `only ${variants.size} variants of 12`)
})

test('an expanded prompt keeps every subject, relation, time, style and place, and all its words are understood', () => {
  for (const prompt of prompts) {
    for (const seed of ['1', '2', '3', '4', '5']) {
      const plain = parsePrompt(prompt, { seed })
      const rich = parsePrompt(expandPrompt(prompt, seed), { seed })
      assert.deepEqual(
        rich.subjects.map(subject => [subject.noun, subject.count, subject.colour?.name, subject.relations.length]),
        plain.subjects.map(subject => [subject.noun, subject.count, subject.colour?.name, subject.relations.length]),
        rich.prompt,
      )
      assert.deepEqual(rich.notDrawn, plain.notDrawn, rich.prompt)
      assert.equal(rich.style, plain.style, rich.prompt)
      assert.equal(rich.setting.kind, plain.setting.kind, rich.prompt)
      if (plain.time !== 'day') assert.equal(rich.time, plain.time, rich.prompt)
      if (plain.setting.colour) assert.equal(rich.setting.colour?.hex, plain.setting.colour.hex)
    }
  }
})

test('the parser understands every phrase that expansion can add', () => {
  const english = [...Object.values(additions.en).flat(), ...Object.values(settingPhrases).map(pair => pair[0])]
  const chinese = [...Object.values(additions.zh).flat(), ...Object.values(settingPhrases).map(pair => pair[1])]
  const things = (phrase: string) => (/table|木桌/.test(phrase) ? ['an apple', '一个苹果'] : ['a cat', '一只猫'])
  for (const phrase of english)
    assert.deepEqual(
      [
        parsePrompt(`${things(phrase)[0]}, ${phrase}`, { seed: '1' }).notDrawn,
        parsePrompt(`${things(phrase)[0]}, ${phrase}`, { seed: '1' }).subjects.length,
      ],
      [[], 1],
      phrase,
    )
  for (const phrase of chinese)
    assert.deepEqual(
      [
        parsePrompt(`${things(phrase)[1]}，${phrase}`, { seed: '1' }).notDrawn,
        parsePrompt(`${things(phrase)[1]}，${phrase}`, { seed: '1' }).subjects.length,
      ],
      [[], 1],
      phrase,
    )
})

test('every place phrase leads to its own setting', () => {
  for (const [kind, phrases] of Object.entries(settingPhrases)) {
    const [english, chinese] = phrases
    // Only small things are placed on a table.
    const thing = kind === 'table' ? ['an apple', '一个苹果'] : ['a cat', '一只猫']
    assert.ok(factsOf(parsePrompt(`${thing[0]}, ${english}`, { seed: '1' })).has(`@${kind}`), english)
    assert.ok(factsOf(parsePrompt(`${thing[1]}，${chinese}`, { seed: '1' })).has(`@${kind}`), chinese)
  }
})
