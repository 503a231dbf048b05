import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'

test('the example program of the README finds something without the gateway', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'search-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  assert.match(await runReadme(dirname(fileURLToPath(import.meta.url)), folder), /^\[Sample\] .*green tea https:/)
})
