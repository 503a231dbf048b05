import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import { recognitionPacks } from './packs.ts'
import { reading } from './testing/ask.ts'

const needs = recognitionPacks.map(needPack).find(({ skip }) => skip) ?? {}

test('the example program of the README transcribes a recording without the gateway', needs, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'recognition-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await symlink(reading, join(folder, 'reading.ogg'))
  const said = await runReadme(dirname(fileURLToPath(import.meta.url)), folder)
  assert.match(said, /^en And Mr\. John Dashwood /)
})
