import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import { needsVoices } from './testing/texts.ts'

test('the example program of the README speaks without the gateway', needsVoices, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'speech-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const said = await runReadme(dirname(fileURLToPath(import.meta.url)), folder)
  assert.match(said, /^\{ seconds: [2-4]\.\d+, characters: 40 \} .*speech\.wav\n$/)
})
