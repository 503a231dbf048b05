import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import { probeVideo } from '@generation-gateway/kit/video/probe.ts'

test('the example program of the README makes a film without the gateway', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'film-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const said = await runReadme(dirname(fileURLToPath(import.meta.url)), folder)
  const [, path = ''] = /^(\S+\.mp4) \{/.exec(said) ?? []
  assert.ok(path.startsWith(join(folder, 'films')), said)
  const { width, height, frames, framesPerSecond, hasSound } = await probeVideo(path)
  assert.deepEqual(
    { width, height, frames, framesPerSecond, hasSound },
    { width: 320, height: 180, frames: 24, framesPerSecond: 24, hasSound: true },
  )
})
