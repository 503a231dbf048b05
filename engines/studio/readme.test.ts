import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import sharp from 'sharp'

test('the example program of the README draws a picture without the gateway', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'studio-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const said = await runReadme(dirname(fileURLToPath(import.meta.url)), folder)
  const [, path = ''] = /^(\S+\.png) \{/.exec(said) ?? []
  assert.ok(path.startsWith(join(folder, 'pictures')), said)
  const { width, height, format } = await sharp(path).metadata()
  assert.deepEqual({ width, height, format }, { width: 1024, height: 768, format: 'png' })
  const { entropy } = await sharp(path).stats()
  assert.ok(entropy > 5, `${entropy}: it is not one colour`)
  assert.match(said, /notDrawn: \[\]/)
})
