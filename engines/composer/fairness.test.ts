import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openEngine, type RunOptions } from '@generation-gateway/kit/open-engine.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { runBesideLongJobs } from '@generation-gateway/kit/testing/overlap.ts'
import composer from './driver.ts'
import { needsSounds } from './testing/sound.ts'

const folder = mkdtempSync(join(tmpdir(), 'composer-fairness-'))
const engine = openEngine(composer, { folder, cores: 1 })
after(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})
const words = Array.from({ length: 40 }, (_, line) => `I walk along the river ${'again '.repeat(line % 3)}and sing`).join('\n')
const song = (options: RunOptions) =>
  engine.run('music.song', { count: 1, seed: '11', seconds: 300, prompt: 'pop', lyrics: words }, options)
const short = (options: RunOptions) => engine.run('music.instrumental', { count: 1, seed: '11', seconds: 5, prompt: 'chiptune' }, options)

test('a short piece of another account is not delayed by two long songs', needsSounds, async () => {
  await short({})
  const { pieces, answered } = await goodRound(
    () => runBesideLongJobs([song, song], short),
    seen => seen.answered === 0 && seen.pieces < 150,
  )
  assert.equal(answered, 0)
  assert.ok(pieces < 150, `${pieces} of 600 seconds of the songs before five of this one`)
})
