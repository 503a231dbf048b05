import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gbnfToRegex, rulesOf } from '../testing/gbnf-regex.ts'
import { GbnfRules } from './gbnf.ts'
import { integerWithin, type NumberBounds, numberWithin } from './json-numbers.ts'
import { larkToGbnf } from './lark.ts'
import { patternInJson } from './pattern.ts'
import { parseRegex } from './regex.ts'
import { mostSteps } from './step-budget.ts'

const bounds = (min?: number, max?: number, isExclusive = false): NumberBounds => ({
  ...(min === undefined ? {} : { min: { value: min, isExclusive } }),
  ...(max === undefined ? {} : { max: { value: max, isExclusive } }),
})

const reading = () => ({ where: 'x', budget: { steps: mostSteps } })

test('integers with bounds: exactly those within them match', () => {
  for (const [min, max] of [
    [0, 9],
    [7, 7],
    [18, 99],
    [95, 1203],
    [-12, 5],
    [-30, -4],
    [-1000, 1000],
    [0, 0],
  ] as const) {
    const regex = gbnfToRegex(integerWithin(bounds(min, max), 'x'))
    for (let value = -1300; value <= 1300; value += 1)
      assert.equal(regex.test(String(value)), value >= min && value <= max, `${value} in ${min}..${max}`)
  }
  assert.ok(gbnfToRegex(integerWithin(bounds(3), 'x')).test('123456'))
  assert.throws(() => integerWithin(bounds(5, 4), 'x'), /no number fits/)
})

test('decimal numbers follow inclusive and exclusive bounds', () => {
  for (const isExclusive of [false, true]) {
    for (const [min, max] of [
      [0, 1],
      [0.5, 2.25],
      [-1.5, 0],
      [-2, 3],
      [9.99, 10.01],
      [-0.25, -0.125],
    ] as const) {
      const regex = gbnfToRegex(numberWithin(bounds(min, max, isExclusive), 'x'))
      let fits = 0
      for (let thousandth = -3000; thousandth <= 11000; thousandth += 5) {
        const value = thousandth / 1000
        const isInside = isExclusive ? value > min && value < max : value >= min && value <= max
        const found = [String(value), value.toFixed(3)].filter(text => regex.test(text))
        if (found.length > 0) fits += 1
        assert.ok(isInside || found.length === 0, `${found} in ${min}..${max}`)
      }
      assert.ok(fits > 0, `something fits ${min}..${max}`)
    }
  }
})

test('a regular expression inside a JSON string matches escaped text', () => {
  const cases: [string, string[], string[]][] = [
    ['\\d{2,3}', ['12', '123'], ['1', '1234', '1a']],
    ['(a|bc)+x?', ['a', 'bcax'], ['', 'x', 'b']],
    ['[^,]+', ['ab"c', 'é'], ['a,b', '']],
    ['"\\\\\\n\\t', ['"\\\n\t'], ['"']],
    ['(?:\\w+\\.)*[A-Z]\\S', ['ab.cd.Xy', 'Z!'], ['ab.x', 'Z ']],
    ['[\\]\\-a]', [']', '-', 'a'], ['b']],
    ['.{3}', ['日本語', '🎉🎉🎉'], ['ab', 'a\nb']],
    ['\\x41\\u{1F389}', ['A🎉'], ['A']],
  ]
  for (const [source, yes, no] of cases) {
    const regex = gbnfToRegex(patternInJson(parseRegex(source, 'whole', 'x'), reading()))
    for (const text of yes) assert.ok(regex.test(JSON.stringify(text).slice(1, -1)), `${source} matches ${text}`)
    for (const text of no) assert.ok(!regex.test(JSON.stringify(text).slice(1, -1)), `${source} does not match ${text}`)
  }
})

test('a pattern may match anywhere in a string unless it is anchored', () => {
  const free = gbnfToRegex(patternInJson(parseRegex('b|^c$', 'search', 'x'), reading()))
  for (const text of ['b', 'abc', 'c']) assert.ok(free.test(text), text)
  for (const text of ['', 'cc', 'a']) assert.ok(!free.test(text), text)
})

test('unsupported parts of a regular expression are refused by name', () => {
  for (const [source, name] of [
    ['a(?=b)', /lookahead/],
    ['(?<!b)a', /lookbehind/],
    ['(a)\\1', /back reference/],
    ['\\bword', /word boundary/],
    ['\\p{L}', /Unicode property/],
    ['(?i)a', /flags/],
    ['a{2000}', /count above/],
    ['(a', /group without its end/],
    ['a^b', /\^ inside/],
  ] as const) {
    assert.throws(() => parseRegex(source, 'whole', 'The pattern'), name, source)
  }
  assert.throws(() => patternInJson(parseRegex('((a{500}){500})', 'whole', 'x'), reading()), /too large/)
})

test('a lark grammar is read with its rules, terminals, imports, counts and left recursion', () => {
  const rules = new GbnfRules()
  const start = larkToGbnf(
    `// sums
start: _sum ";"~1..2 -> all
_sum: _sum OP number | number  // begins with itself
?number: INT | "(" INT ")" ["!"]
OP: "+" | /[-*]/
%import common.INT
%ignore " "`,
    rules,
    'x',
  )
  const grammar = rulesOf(rules.render(start))
  const regex = gbnfToRegex('root', grammar)
  for (const text of ['1;', '1+2;;', '(3)!*4-5;', '1 + 22 ;']) assert.ok(regex.test(text), text)
  for (const text of ['1', '1+;', '1;;;', '+1;', 'a;']) assert.ok(!regex.test(text), text)
})

test('ignored parts of a lark grammar may stand between terminals, but not inside one', () => {
  const rules = new GbnfRules()
  const start = larkToGbnf('start: PAIR PAIR\nPAIR: "a" "b"\n%ignore " "', rules, 'x')
  const regex = gbnfToRegex('root', rulesOf(rules.render(start)))
  for (const text of ['abab', 'ab ab']) assert.ok(regex.test(text), text)
  for (const text of ['a bab', 'aba b', 'ab']) assert.ok(!regex.test(text), text)
})

test('unsupported parts of a lark grammar are refused by name', () => {
  for (const [source, name] of [
    ['a: "x"', /no rule named start/],
    ['start: other', /uses other/],
    ['start: a\na: b "x" | "y"\nb: a', /left recursion/],
    ['start{x}: x', /template/],
    ['start.2: "a"', /priority/],
    ['%declare A\nstart: A', /%declare/],
    ['%import python.NAME\nstart: NAME', /import from python/],
    ['start: /a/i', /flags/],
  ] as const) {
    assert.throws(() => larkToGbnf(source, new GbnfRules(), 'The grammar'), name, source)
  }
})
