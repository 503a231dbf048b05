import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import { realClip } from '../../../testing/real-clip.ts'
import { videoIn } from './video-file.ts'

const acme = { inspection: inlineInspection, owner: 'Acme', asker: {} }

test('a file whose bytes are no video fails after it was paid', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'video-file-'))
  try {
    const path = join(folder, 'v.mp4')
    for (const bytes of ['', '<html>gone</html>', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')]) {
      await writeFile(path, bytes)
      const { state, code, mayBeCharged } = Object(await videoIn(path, acme))
      assert.deepEqual([state, code, mayBeCharged], ['failed', 'upstream_error', true])
    }
    await writeFile(path, await realClip({ width: 64, height: 36, framesPerSecond: 24, frames: 12 }))
    const facts = { width: 64, height: 36, durationSeconds: 0.5, framesPerSecond: 24 }
    assert.deepEqual(await videoIn(path, acme), { role: 'video', path, mediaType: 'video/mp4', ...facts })
  } finally {
    await rm(folder, { recursive: true })
  }
})
