import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunOptions } from '@generation-gateway/kit/open-engine.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { runBesideLongJobs } from '@generation-gateway/kit/testing/overlap.ts'
import { common, openStudio } from './testing/open-studio.ts'

const { engine } = openStudio()
const pictures = (count: number) => (options: RunOptions) =>
  engine.run(
    'image.generate',
    { ...common, prompt: 'a lighthouse at night', width: 256, height: 256, count, seed: '41', expandPrompt: false },
    options,
  )
const groups = [1, 2, 3].map(() => pictures(15))

test('a picture is drawn while three groups of fifteen pictures of another account are', async () => {
  await pictures(1)({})
  const { pieces, answered } = await goodRound(
    () => runBesideLongJobs(groups, pictures(1)),
    seen => seen.answered === 0 && seen.pieces <= 6,
  )
  assert.equal(answered, 0)
  assert.ok(pieces <= 6, `${pieces} pictures of the groups before this one`)
})

test('a single picture is drawn before waiting groups of its own account', async () => {
  const { pieces } = await goodRound(
    () => runBesideLongJobs(groups, pictures(1), 'a'),
    seen => seen.pieces <= 2,
  )
  assert.ok(pieces <= 2, `${pieces} pictures of the groups before this one`)
})
