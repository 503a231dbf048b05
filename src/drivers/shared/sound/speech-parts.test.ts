import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SoundFormat } from '@generation-gateway/kit/requests/speech.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import { encodedFrom, type SpeechJob, speechParts } from './speech-parts.ts'

test('a service that answers without a sound is a failed target, in every format, and the caller gets nothing of it', async t => {
  const scratch = await mkdtemp(join(tmpdir(), 'spoken-'))
  t.after(() => rm(scratch, { recursive: true, force: true }))
  for (const container of ['wav', 'pcm', 'ulaw', 'mp3', 'opus', 'flac'] satisfies SoundFormat['container'][]) {
    const request = { text: 'Hello.', speed: 1, volume: 0, format: { container } }
    const { signal } = new AbortController()
    // The cast is safe: the function reads only these members of a job.
    const job = { request, scratch, signal } as SpeechJob
    const empty = (async function* (): AsyncGenerator<Uint8Array> {})()
    const parts = speechParts({
      chunks: encodedFrom(empty, { sampleRate: 24_000, job }),
      job,
      inspection: inlineInspection,
      owner: 'The service',
    })
    const first = await parts.next()
    assert.equal(first.done, true, `${container}: ${JSON.stringify(first.value)}`)
    assert.deepEqual([first.value.state, 'code' in first.value && first.value.code], ['failed', 'upstream_error'], container)
  }
})
