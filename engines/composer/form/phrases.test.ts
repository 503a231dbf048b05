import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowness } from '@generation-gateway/kit/testing/cpu-time.ts'
import { compose } from '../compose.ts'
import { pronounceLines } from '../sing/pronounce.ts'
import { lineTimes } from '../sing/vocal.ts'
import { parseLyrics } from './lyrics.ts'
import { phrasesOf } from './phrases.ts'

test('a line that is too long for one breath is sung in phrases split between words, but reported as one line', async () => {
  const line = 'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness'
  assert.deepEqual(phrasesOf(line), [
    'It was the best of times, it was the worst of times, ',
    'it was the age of wisdom, it was the age of foolishness',
  ])
  assert.deepEqual(phrasesOf('Morning light is on the river'), ['Morning light is on the river'])
  assert.deepEqual(
    phrasesOf('今天的天气很好，我们一起去公园，孩子们在唱歌，小鸟在天上飞，我喜欢你的笑容').map(phrase => [...phrase].length),
    [16, 7, 14],
  )
  const lyrics = parseLyrics(`First\n${line}\nLast`)
  const syllablesOf = await pronounceLines(lyrics.flatMap(({ lines }) => lines).flatMap(phrasesOf))
  const { score } = compose({ prompt: 'folk', seed: '3', lyrics, syllablesOf })
  assert.deepEqual(
    lineTimes(score).map(({ text }) => text),
    ['First', line, 'Last'],
  )
})

const lyricsOf = {
  'one row of short words': 'la '.repeat(1000),
  'one word': 'strengthening'.repeat(230),
  'one row of Chinese': '月'.repeat(3000),
  'rows of one letter': 'a\n'.repeat(1500),
  'repeats of repeats': `[chorus x8]\n${'la la la la x8\n'.repeat(190)}`,
  'many repeats of many lines': `[a]\n${'a x8\n'.repeat(290)}${'[a x8]\n'.repeat(200)}`,
  'open brackets': '[verse'.repeat(500),
  spaces: `x${' '.repeat(2990)}8`,
}

for (const [name, words] of Object.entries(lyricsOf)) {
  test(`${name}: a song of at most ten minutes is written within a second`, async () => {
    // A busy machine takes more CPU time for the same work.
    const mostMs = 2_500 * slowness()
    const begun = process.cpuUsage()
    const lyrics = parseLyrics(words)
    const phrases = lyrics.flatMap(({ lines }) => lines).flatMap(phrasesOf)
    assert.ok(phrases.length <= 2500, `${phrases.length} phrases`)
    const { score, leftOut } = compose({ prompt: 'pop', seed: '3', lyrics, syllablesOf: await pronounceLines(phrases) })
    const { user, system } = process.cpuUsage(begun)
    assert.ok(score.seconds <= 600, `${score.seconds} s`)
    assert.ok((user + system) / 1000 < mostMs, `${(user + system) / 1000} of ${mostMs} ms`)
    // Each phrase is either sung or reported in `leftOut`.
    assert.equal(score.sections.flatMap(({ lines }) => lines).length + leftOut.length, phrases.length)
  })
}
