import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import { needsModel, testModel } from './testing/ask.ts'

test('the example program of the README answers a question without the gateway', needsModel, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'text-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await symlink(testModel().file, join(folder, 'model.gguf'))
  const said = await runReadme(dirname(fileURLToPath(import.meta.url)), folder)
  assert.match(said, /^The capital of France is Paris\. \{ ?\n? *inputTokens: 27,/)
})
