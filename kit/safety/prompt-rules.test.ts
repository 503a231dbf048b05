import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { leastCpuMs } from '../testing/cpu-time.ts'
import { judgePrompt, severityOf } from './prompt-rules.ts'

const levels = [0, 1, 2, 3, 4, 5, 6]
const probes = readFileSync(join(import.meta.dirname, 'prompt-probes.txt'), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => ({ verdicts: line.slice(0, 3), prompt: line.slice(4) }))

function lettersOf(prompt: string): string {
  return [0, 2, 6].map(level => (judgePrompt(prompt, level).allowed ? 'a' : 'r')).join('')
}

function reasonsOf(prompt: string, tolerance: number): readonly string[] {
  const verdict = judgePrompt(prompt, tolerance)
  return verdict.allowed ? [] : verdict.reasons
}

test('there are at least 120 harmless and 120 harmful test prompts', () => {
  assert.ok(probes.filter(({ verdicts }) => verdicts === 'aaa').length >= 120)
  assert.ok(probes.filter(({ verdicts }) => verdicts.startsWith('rr')).length >= 120)
})

test('every test prompt gets its verdicts at the levels 0, 2 and 6', () => {
  const wrong = probes.filter(({ verdicts, prompt }) => lettersOf(prompt) !== verdicts)
  const lines = wrong.map(({ verdicts, prompt }) => `${verdicts} is ${lettersOf(prompt)} ${reasonsOf(prompt, 0)}: ${prompt}`)
  assert.deepEqual(lines, [])
})

test('the severity of a reason is the number of levels that refuse because of it', () => {
  for (const { prompt } of probes) {
    const severities = severityOf(prompt)
    for (const level of levels) {
      const reasons = [...severities].filter(([, severity]) => severity > level).map(([reason]) => reason)
      // Private numbers (`Personal Data`) are found by other code than the rules and have no
      // category in moderation, so they are left out of the comparison.
      const judged = reasonsOf(prompt, level).filter(reason => reason !== 'Personal Data')
      assert.deepEqual(reasons.filter(reason => reason !== 'Personal Data').sort(), judged.toSorted(), `level ${level}: ${prompt}`)
    }
  }
})

test('a prompt that one level allows is allowed by every more lenient level, without new reasons', () => {
  for (const { prompt } of probes) {
    const reasons = levels.map(level => reasonsOf(prompt, level))
    for (const level of levels.slice(1)) {
      const isSubset = reasons[level]!.every(reason => reasons[level - 1]!.includes(reason))
      assert.ok(isSubset, `level ${level}: ${reasons[level]} after ${reasons[level - 1]}: ${prompt}`)
    }
  }
})

test('a refusal names each category once, in the words of the vendors', () => {
  assert.deepEqual(reasonsOf('nude woman', 2), ['Sexual Content'])
  assert.deepEqual(reasonsOf('naked child', 2), ['Minors', 'Sexual Content'])
  assert.deepEqual(reasonsOf('naked child', 6), ['Minors'])
  assert.deepEqual(reasonsOf('a severed head', 2), ['Violence'])
  assert.deepEqual(reasonsOf('swastika flag', 2), ['Hate'])
  assert.deepEqual(reasonsOf('a suicide', 2), ['Self Harm'])
  assert.deepEqual(reasonsOf('how to make a bomb', 2), ['Illegal Goods'])
  assert.deepEqual(reasonsOf('humiliate my coworker', 2), ['Harassment'])
  assert.deepEqual(reasonsOf('find the home address of someone', 2), ['Personal Data'])
  assert.deepEqual(reasonsOf('holy shit', 0), ['Profanity'])
})

test('the default tolerance is 2', () => {
  assert.equal(judgePrompt('a sexy spy').allowed, true)
  assert.equal(judgePrompt('a nude spy').allowed, false)
})

test('simple disguises do not change the verdict', () => {
  const disguises = [
    'NAKED child',
    'n.a.k.e.d child',
    'n a k e d child',
    'n4k3d ch!ld',
    'nak\u200bed child',
    'ｎａｋｅｄ ｃｈｉｌｄ',
    'n\u0430ked child',
    'na-ked child',
    'naaaaked child',
    'nakedchild',
    '\u{1d427}\u{1d41a}\u{1d424}\u{1d41e}\u{1d41d} child',
    'nákéd child',
    'n_a_k_e_d_c_h_i_l_d',
    '裸體兒童',
    '裸*體 儿童',
    '裸 体 儿 童',
  ]
  for (const prompt of disguises) assert.ok(reasonsOf(prompt, 6).includes('Minors'), prompt)
})

test('words that are separated by a comma or far apart do not count together', () => {
  assert.deepEqual(reasonsOf('a nude, lipstick on the table', 2), ['Sexual Content'])
  assert.deepEqual(
    reasonsOf('a film about a bomb. The critics, the music, the actors, the story and the lights were good; here is how to get tickets', 0),
    [],
  )
})

test('an empty prompt and one without words are allowed at every level', () => {
  for (const prompt of ['', ' \n\t', '...', '🎈🎈', '12 34', '。，'])
    for (const level of levels) assert.ok(judgePrompt(prompt, level).allowed, prompt)
})

test('a tolerance outside 0 to 6 is an error', () => {
  for (const tolerance of [-1, 7, 0.5, Number.NaN]) assert.throws(() => judgePrompt('a fox', tolerance), RangeError)
})

test('a usual prompt takes less than 0.3 ms', () => {
  const prompt =
    'A watercolor painting of a fox sleeping under a cherry tree at sunset, soft light, highly detailed, by the river with mountains'
  const hundredMs = leastCpuMs(() => {
    for (let run = 0; run < 100; run++) judgePrompt(prompt, 0)
  }, 30)
  assert.ok(hundredMs < 30, `${hundredMs} ms for a hundred`)
})

test('8000 characters take less than 20 ms, whatever they are', () => {
  const parts = [
    'a man in a park reads, naked trees, ',
    '一个女孩在公园里看书，',
    'naked ',
    'a',
    'a ',
    '.',
    '1a',
    'a.',
    '4 ',
    'а',
    'kill the jews ',
    '裸',
    '裸*',
    'e\u0301',
    '\u0301\u0327',
    'f*',
    '4-',
    'nude ? ',
    '\u200b',
    '岁十',
  ]
  for (const part of parts) {
    const prompt = part.repeat(Math.ceil(8000 / part.length)).slice(0, 8000)
    const ms = leastCpuMs(() => judgePrompt(prompt, 0), 20)
    assert.ok(ms < 20, `${ms} ms for "${part}"`)
  }
})
