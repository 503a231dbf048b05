import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runFfmpeg } from '@generation-gateway/kit/audio/ffmpeg.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { Claim } from '../ports/store.ts'
import { withMeasuredInputs } from './measured-inputs.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'measured-inputs-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Writes silence of six channels, whose decoding takes minutes of CPU time. */
async function writeSlowSound(path: string): Promise<void> {
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'anullsrc=r=96000:cl=5.1:d=4', '-c:a', 'aac', '-f', 'adts', `file:${path}`])
  const frames = await readFile(path)
  await writeFile(path, Buffer.concat(Array.from({ length: 3_000 }, () => frames)))
}

function measure(accountId: string, path: string, signal: AbortSignal): Promise<unknown> {
  // The casts are safe: without a hold, `withMeasuredInputs` reads only these members of the claim
  // and the job.
  const claim = { task: { accountId, capability: 'audio.transcribe' } } as Claim
  const input = { role: 'audio', mediaType: 'audio/aac', path } as InputFile
  const deps = {} as Parameters<typeof withMeasuredInputs>[0]
  return withMeasuredInputs(deps, claim, { request: {}, inputs: [input], signal } as unknown as Parameters<typeof withMeasuredInputs>[2])
}

test('slow sounds of one account do not occupy all places for measuring', { timeout: 60_000 }, async () => {
  const [slow, short] = [join(folder, 'slow.aac'), join(folder, 'short.aac')]
  await writeSlowSound(slow)
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'sine=440:duration=2', '-c:a', 'aac', '-f', 'adts', `file:${short}`])
  const leaving = new AbortController()
  const places = Math.max(2, availableParallelism())
  const measuring = Array.from({ length: places + 1 }, () => measure('one', slow, leaving.signal).then(() => 'slow'))
  const ended = Promise.allSettled(measuring)
  const other = measure('other', short, new AbortController().signal).then(() => 'short')
  try {
    assert.equal(await Promise.race([...measuring, other]), 'short')
  } finally {
    leaving.abort(new Error('the caller left'))
    await ended
  }
})
