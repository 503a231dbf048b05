import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import { embedderPacks } from './packs.ts'

const needs = embedderPacks.map(needPack).find(({ skip }) => skip) ?? {}

test('the example program of the README sorts documents without the gateway', needs, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'embedder-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const said = await runReadme(import.meta.dirname, folder)
  const [best, ...others] = said.trim().split('\n')
  assert.match(best ?? '', /^0\.\d\d The tide comes in at noon\.$/)
  assert.equal(others.length, 2)
})
