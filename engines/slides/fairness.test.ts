import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openEngine, type RunOptions } from '@generation-gateway/kit/open-engine.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { runBesideLongJobs } from '@generation-gateway/kit/testing/overlap.ts'
import slides from './driver.ts'
import { sampleSlides } from './testing/sample-deck.ts'

const folder = mkdtempSync(join(tmpdir(), 'slides-fairness-'))
const engine = openEngine(slides, { folder, cores: 1 })
after(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})
const deck = (pages: number) => (options: RunOptions) =>
  engine.run(
    'slides.render',
    {
      title: 'A harbour',
      language: 'en',
      slides: Array.from({ length: pages }, (_, page) => ({ ...sampleSlides[page % sampleSlides.length]! })),
      template: 'harbour',
      outputs: ['deck', 'document', 'page'],
    },
    options,
  )

test('a short deck is finished while three of thirty slides of another account are made', async () => {
  await deck(3)({})
  const { answered } = await goodRound(
    () => runBesideLongJobs([deck(30), deck(30), deck(30)], deck(3)),
    seen => seen.answered === 0,
  )
  assert.equal(answered, 0)
})
