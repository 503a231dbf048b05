/** Calls the gateway's speech interfaces as a caller does. */
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { ffmpegPath } from '../../kit/audio/ffmpeg.ts'
import { accessKey, jsonHeaders } from '../measure.ts'
import type { Server } from '../process.ts'

export interface Voice {
  id: string
  title: string
  language: string
}

/** Returns the voices of all engines of the gateway. */
export async function voices(gateway: Server): Promise<Voice[]> {
  const { data } = (await (await checked(await fetch(`${gateway.url}/v1/voices`, { headers: jsonHeaders }))).json()) as { data: Voice[] }
  return data
}

export interface SpokenAnswer {
  /** The sound as WAV at 24 kHz. */
  sound: Buffer
  /** Length of the sound in seconds. */
  seconds: number
  /** Seconds until the first part of the sound arrived. `allSeconds` is the time until all of it
   *  had arrived. */
  firstSeconds: number
  allSeconds: number
  /** Time in seconds for which playback pauses when a listener plays the stream while it arrives.
   *  The time before the first sound is not included. */
  waitSeconds: number
}

export async function speak(gateway: Server, { voice, text }: { voice: string; text: string }): Promise<SpokenAnswer> {
  const start = performance.now()
  const body = JSON.stringify({ model: 'tts-1', input: text, voice, response_format: 'pcm' })
  const answer = await checked(await fetch(`${gateway.url}/v1/ai/default/audio/speech`, { method: 'POST', headers: jsonHeaders, body }))
  const chunks: Uint8Array[] = []
  let firstSeconds = 0
  let playedAt = 0
  let waitSeconds = 0
  for await (const chunk of answer.body ?? []) {
    const seconds = (performance.now() - start) / 1000
    if (chunks.length === 0) firstSeconds = playedAt = seconds
    waitSeconds += Math.max(0, seconds - playedAt)
    playedAt = Math.max(seconds, playedAt) + chunk.length / 48_000
    chunks.push(chunk)
  }
  const pcm = Buffer.concat(chunks)
  const allSeconds = (performance.now() - start) / 1000
  return {
    sound: await converted(pcm, ['-f', 's16le', '-ar', '24000', '-ac', '1'], []),
    seconds: pcm.length / 48_000,
    firstSeconds,
    allSeconds,
    waitSeconds,
  }
}

/** Returns the recognized text of a sound, the sound's length, and the time that recognition
 *  took. */
export async function transcribe(gateway: Server, sound: Buffer, { language }: { language?: string }) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(sound)]), 'sound')
  form.append('model', 'whisper-1')
  form.append('response_format', 'verbose_json')
  if (language !== undefined) form.append('language', language)
  const start = performance.now()
  const headers = { authorization: `Bearer ${accessKey}` }
  const answer = await checked(await fetch(`${gateway.url}/v1/ai/default/audio/transcriptions`, { method: 'POST', headers, body: form }))
  const { text, duration } = (await answer.json()) as { text: string; duration: number }
  return { text, seconds: duration, allSeconds: (performance.now() - start) / 1000 }
}

/** Returns the sound with white noise added; the noise is `decibels` quieter than the sound. */
export async function noisy(sound: Buffer, decibels: number): Promise<Buffer> {
  const pcm = await converted(sound, [], ['-f', 's16le'])
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length >> 1)
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length
  const deviation = Math.sqrt(power / 10 ** (decibels / 10))
  let seed = 1
  const uniform = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const loud = samples.map(value => {
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    return Math.max(-32_768, Math.min(32_767, value + deviation * normal))
  })
  return converted(Buffer.from(loud.buffer), ['-f', 's16le', '-ar', '16000', '-ac', '1'], [])
}

/** Converts a sound with ffmpeg. `from` and `to` are ffmpeg arguments for the input and the output;
 *  the result is a WAV file unless `to` sets another format. Its sample rate is 24 kHz when `from`
 *  contains `24000`, else 16 kHz. */
async function converted(sound: Buffer, from: readonly string[], to: readonly string[]): Promise<Buffer> {
  const rate = from.includes('24000') ? '24000' : '16000'
  const format = to.length > 0 ? to : ['-f', 'wav']
  const child = spawn(await ffmpegPath(), ['-v', 'error', ...from, '-i', 'pipe:0', '-ar', rate, '-ac', '1', ...format, 'pipe:1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(sound)
  return buffer(child.stdout)
}

async function checked(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.url} was answered with ${answer.status}: ${await answer.text()}`)
  return answer
}
