import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImageScores, judgeImage } from './image-rules.ts'

const levels = [0, 1, 2, 3, 4, 5, 6]

function scores(part: Partial<ImageScores>): ImageScores {
  return { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0, ...part }
}

function allowedLevels(part: Partial<ImageScores>): number[] {
  return levels.filter(level => judgeImage(scores(part), level).allowed)
}

test('harmless pictures and drawings pass at every level', () => {
  assert.deepEqual(allowedLevels({ neutral: 0.98, drawing: 0.02 }), levels)
  assert.deepEqual(allowedLevels({ drawing: 0.95, hentai: 0.05 }), levels)
})

test('a drawing with a wrong explicit score of 0.71 still passes at every level', () => {
  assert.deepEqual(allowedLevels({ drawing: 0.2, hentai: 0.71, neutral: 0.09 }), levels)
})

test('a clearly explicit photograph or drawing is refused at every level', () => {
  assert.deepEqual(allowedLevels({ porn: 0.97, sexy: 0.03 }), [])
  assert.deepEqual(allowedLevels({ hentai: 0.99, drawing: 0.01 }), [])
  assert.deepEqual(judgeImage(scores({ porn: 0.97, sexy: 0.03 }), 6), { allowed: false, reasons: ['Sexual Content'] })
})

test('the scores for porn and hentai are added where the model cannot decide between them', () => {
  assert.deepEqual(allowedLevels({ porn: 0.45, hentai: 0.45, drawing: 0.1 }), [4, 5, 6])
})

test('a merely suggestive photograph is refused at the strict levels only', () => {
  assert.deepEqual(allowedLevels({ sexy: 0.7, neutral: 0.3 }), [2, 3, 4, 5, 6])
  assert.deepEqual(allowedLevels({ sexy: 0.99, neutral: 0.01 }), [4, 5, 6])
})

test('a picture that one level allows is allowed at every more lenient level', () => {
  const steps = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
  for (const porn of steps) {
    for (const hentai of steps.filter(value => value + porn <= 1)) {
      for (const sexy of steps.filter(value => value + porn + hentai <= 1)) {
        const allowed = allowedLevels({ porn, hentai, sexy, neutral: 1 - porn - hentai - sexy })
        assert.deepEqual(allowed, levels.slice(levels.length - allowed.length), `porn ${porn}, hentai ${hentai}, sexy ${sexy}`)
      }
    }
  }
})

test('a tolerance outside 0 to 6 is an error', () => {
  for (const tolerance of [-1, 7, 1.5, Number.NaN]) assert.throws(() => judgeImage(scores({ neutral: 1 }), tolerance), RangeError)
})
