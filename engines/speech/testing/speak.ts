/** Sends requests to the engine as a user does, and returns the sound for measurements. The
 *  engine is closed after the test file that imports this module first, so in a process with
 *  several test files only one of them may import it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { samplesOf } from '@generation-gateway/kit/audio/pcm.ts'
import { type OpenEngine, openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { SpeechEvent, SpeechRequest, SpeechResult } from '@generation-gateway/kit/requests/speech.ts'
import speech from '../driver.ts'
import { rateOf } from '../makers.ts'
import { voiceNamed } from '../voices.ts'
import { prose } from './texts.ts'

let opened: Promise<{ engine: OpenEngine; folder: string }> | undefined

async function theEngine(): Promise<OpenEngine> {
  opened ??= mkdtemp(join(tmpdir(), 'speech-test-')).then(folder => ({ folder, engine: openEngine(speech, { folder }) }))
  return (await opened).engine
}

after(async () => {
  const { engine, folder } = (await opened) ?? {}
  await engine?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

export interface SpokenSound extends SpeechResult {
  samples: Float32Array
  sampleRate: number
  bytes: Buffer
  /** Path of the outcome's file. */
  path: string | undefined
}

/** Returns the raw samples for a request, by default in the default voice. */
export async function speak(
  request: Partial<SpeechRequest>,
  { signal, onSound }: { signal?: AbortSignal; onSound?: (bytes: Uint8Array) => void } = {},
): Promise<SpokenSound> {
  const engine = await theEngine()
  const parts: Uint8Array[] = []
  const whole: SpeechRequest = { text: prose, speed: 1, volume: 0, format: { container: 'pcm' }, ...request }
  const { report, files } = await engine.run('speech.synthesize', whole, {
    ...(signal ? { signal } : {}),
    onEvent: event => {
      // All events of speech synthesis are of this type.
      const part = event as SpeechEvent
      if (part.type !== 'sound') return
      parts.push(part.bytes)
      onSound?.(part.bytes)
    },
  })
  const bytes = Buffer.concat(parts)
  const sampleRate = whole.format.sampleRate ?? rateOf(voiceNamed(whole.voice ?? 'heart')?.maker ?? 'Hibari')
  // Reports of speech synthesis are of this type.
  return { ...(report as unknown as SpeechResult), samples: samplesOf(bytes), sampleRate, bytes, path: files[0]?.path }
}
