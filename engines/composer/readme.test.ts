import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import { composerPacks } from './packs.ts'

test('the example program of the README makes music without the gateway', composerPacks.map(needPack)[0] ?? {}, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'composer-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const said = await runReadme(dirname(fileURLToPath(import.meta.url)), folder)
  assert.match(said, /seconds: 5,\s+style: 'Bossa nova'/)
  assert.match(said, /key: 'D minor'/)
  assert.match(said, /song\.mp3/)
})
