import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { pcmBytes, wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { type OpenEngine, openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { TranscriptEvent, TranscriptResult, TranslateResult } from '@generation-gateway/kit/requests/transcript.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import engine from './driver.ts'
import { recognitionPacks } from './packs.ts'
import { ask, noise, reading, readingText, recording, sampleRate, wordErrors, writeSound } from './testing/ask.ts'

const folder = await mkdtemp(join(tmpdir(), 'recognition-'))
const opened: OpenEngine = openEngine(engine, { folder })
after(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})
const needs = recognitionPacks.map(needPack).find(({ skip }) => skip) ?? {}

async function transcribe(path: string, changes: Parameters<typeof ask>[0] = {}, options: Parameters<OpenEngine['run']>[2] = {}) {
  const { report, usage } = await opened.run('audio.transcribe', ask(changes), { inputs: [await recording(path)], ...options })
  // The operation always returns a report of this type.
  return { ...(report as unknown as TranscriptResult), usage }
}

async function samplesOf(path: string): Promise<Float32Array> {
  const scratch = await mkdtemp(join(folder, 'samples-'))
  const { seconds, channels } = await decodeSound(path, { scratch, sampleRate, channels: 'mixed', signal: new AbortController().signal })
  return readSamples(channels[0]?.path ?? '', { from: 0, count: Math.ceil(seconds * sampleRate) })
}

test('a recording of a human reader is transcribed, with the times of its words', needs, async () => {
  const events: TranscriptEvent[] = []
  const progress: number[] = []
  const result = await transcribe(
    reading,
    { languages: [], words: true, logprobs: true },
    { onEvent: event => events.push(event as TranscriptEvent), onProgress: fraction => progress.push(fraction) },
  )
  const { errors, words } = wordErrors(readingText, result.text)
  assert.ok(errors <= words * 0.05, `${errors} of ${words}: ${result.text}`)
  assert.equal(result.language, 'en')
  assert.ok(Math.abs(result.seconds - 28.74) < 0.1, `${result.seconds} s`)
  assert.deepEqual(result.usage, [{ unit: 'seconds', units: result.seconds }])
  assert.equal(events.map(event => (event.type === 'text' ? event.delta : '')).join(''), result.text)
  assert.deepEqual(
    events.flatMap(event => (event.type === 'segment' ? [event.segment] : [])),
    result.segments,
  )
  assert.ok(progress.length >= 2 && progress.at(-1) === 1)
  assert.equal(
    Buffer.from(result.logprobs?.flatMap(({ bytes }) => bytes) ?? [])
      .toString()
      .trim()
      .replace(/ +/g, ' '),
    result.text,
  )
  const spoken = result.segments.flatMap(segment => segment.words ?? [])
  let before = 0
  for (const { text, startSeconds, endSeconds, confidence = 0 } of spoken) {
    assert.ok(startSeconds >= before - 0.001 && endSeconds > startSeconds, `${text} at ${startSeconds}`)
    assert.ok(confidence > 0 && confidence <= 1)
    before = endSeconds
  }
  // Before each of these sentences, the recording has a second of silence and a breath; the
  // silences end at 8.1, 12.1, 18.4 and 25.45 s. So no word may start in a silence.
  for (const [word, about] of [
    ['He', 8.35],
    ['Unless', 12.35],
    ['himself.', 28],
  ] as const) {
    const near = spoken.filter(({ text }) => text === word).map(({ startSeconds }) => Math.abs(startSeconds - about))
    assert.ok(Math.min(...near) <= 0.5, `${word}: ${near}`)
  }
  assert.deepEqual(
    (await readdir(folder)).filter(name => !name.startsWith('samples-')),
    [],
  )
})

test(
  'a streaming reader gets the first words before half of the recording is recognised, and only of the requested seconds',
  needs,
  async () => {
    let fraction = 0
    const firsts: { fraction: number; until: number }[] = []
    const result = await transcribe(
      reading,
      { early: true, firstSeconds: 18.2 },
      {
        onProgress: done => {
          fraction = done
        },
        onEvent: event => {
          const { type, segment } = event as Extract<TranscriptEvent, { type: 'segment' }>
          if (type === 'segment') firsts.push({ fraction, until: segment.endSeconds })
        },
      },
    )
    const [first] = firsts
    // There are two windows: a short one, and one with the rest.
    assert.ok(first && first.fraction <= 0.5 && first.until < 9.1, JSON.stringify(firsts))
    assert.equal(result.seconds, 18.2)
    const { errors, words } = wordErrors(readingText.slice(0, readingText.indexOf(' Had he')), result.text)
    assert.ok(errors <= words * 0.1, `${errors} of ${words}: ${result.text}`)
  },
)

test('a candidate language unknown to Whisper is ignored and reported; as the required language it is refused', needs, async () => {
  const { language, unheard, text } = await transcribe(reading, { languages: ['ga-IE', 'en-GB'], candidates: true, firstSeconds: 4 })
  assert.deepEqual([language, unheard], ['en-GB', ['ga-IE']])
  assert.match(text, /Dashwood/)
  await assert.rejects(transcribe(reading, { languages: ['ga-IE'], firstSeconds: 4 }), /ga-IE is none that speech is recognised in here/)
})

test('with noise at 15 dB four of five words are right', needs, async () => {
  // The first two sentences, up to a pause.
  const samples = (await samplesOf(reading)).subarray(0, 11.5 * sampleRate)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  // The power of uniformly distributed noise is a third of its squared peak. With this peak, the
  // power of the noise is 15 dB below that of the speech.
  const gain = Math.sqrt((power / 10 ** 1.5) * 3)
  const noisy = noise(samples.length).map((value, index) => (samples[index] ?? 0) + value * gain)
  const { text } = await transcribe(await writeSound(join(folder, 'samples-noisy.wav'), noisy))
  const { errors, words } = wordErrors(readingText.slice(0, readingText.indexOf(' Unless')), text)
  assert.ok(errors <= words * 0.2, `${errors} of ${words}: ${text}`)
})

test('a stereo recording with one inverted side is transcribed too', needs, async () => {
  const left = (await samplesOf(reading)).subarray(0, 4 * sampleRate)
  const both = Float32Array.from({ length: 2 * left.length }, (_, at) => (at % 2 === 0 ? 1 : -1) * left[at >> 1]!)
  const bytes = pcmBytes(both)
  const path = join(folder, 'inverted.wav')
  await writeFile(path, Buffer.concat([wavHeader({ sampleRate, channels: 2, dataBytes: bytes.length }), bytes]))
  const { text, seconds } = await transcribe(path)
  assert.match(text, /John Dashwood had then leisure to consider/i)
  assert.equal(seconds, 4)
})

test('silence, noise, tones and clicks contain no words', needs, async () => {
  const length = 4 * sampleRate
  const tone = (hertz: number) => Float32Array.from({ length }, (_, index) => 0.4 * Math.sin((2 * Math.PI * hertz * index) / sampleRate))
  const added = (one: Float32Array, other: Float32Array) => one.map((value, index) => value / 2 + (other[index] ?? 0) / 2)
  const sounds = {
    silence: new Float32Array(length),
    noise: noise(length).map(value => value * 0.3),
    tone: tone(440),
    chord: added(added(tone(220), tone(277)), tone(330)),
    clicks: Float32Array.from({ length }, (_, index) => (index % 8000 < 20 ? 0.9 : 0)),
  }
  for (const [name, samples] of Object.entries(sounds)) {
    const { text, segments, seconds } = await transcribe(await writeSound(join(folder, `samples-${name}.wav`), samples), { languages: [] })
    assert.deepEqual({ text, segments, seconds }, { text: '', segments: [], seconds: 4 }, name)
  }
})

test('speech without a pause is cut where both windows have the same word, and no word is lost or repeated', needs, async () => {
  // The recording without pauses, from the second sentence on: 15 seconds of speech, which two
  // windows share.
  const samples = await samplesOf(reading)
  const dense: number[] = []
  for (let at = 0; at + 800 <= samples.length; at += 800) {
    const part = samples.subarray(at, at + 800)
    if (part.some(sample => Math.abs(sample) > 0.03)) dense.push(...part)
  }
  const path = await writeSound(join(folder, 'samples-dense.wav'), Float32Array.from(dense.slice(6.2 * sampleRate)))
  const { text, segments } = await transcribe(path)
  const { errors, words } = wordErrors(readingText.slice(readingText.indexOf('He was not')), text)
  assert.ok(errors <= words * 0.08, `${errors} of ${words}: ${text}`)
  const starts = segments.map(({ startSeconds }) => startSeconds)
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  )
})

test('less than a second of speech is transcribed too', needs, async () => {
  // The words "He was not": whisper.cpp by itself skips such a short window.
  const samples = (await samplesOf(reading)).subarray(8.3 * sampleRate, 9.15 * sampleRate)
  const { text } = await transcribe(await writeSound(join(folder, 'samples-short.wav'), samples))
  assert.match(text, /[a-z]/i)
})

test('a missing channel is refused, and so is a file that is no sound', needs, async () => {
  await assert.rejects(transcribe(reading, { channels: [0, 1] }), { code: 'invalid_request', field: 'channels' })
  await assert.rejects(transcribe(import.meta.filename), { code: 'invalid_request', field: 'audio' })
  await assert.rejects(transcribe(reading, { languages: ['tlh'] }), { code: 'invalid_request', field: 'languages' })
})

test('a cancelled run ends at once with its child processes, and leaves no files', needs, async () => {
  const controller = new AbortController()
  const reason = new Error('no longer wanted')
  const run = transcribe(reading, {}, { signal: controller.signal })
  const ended = assert.rejects(run, reason)
  // whisper.cpp starts when its window has been written.
  const files = (): Promise<string[]> => readdir(folder, { recursive: true })
  await until(async () => (await files()).some(name => name.endsWith('window-0.wav')), 'the first window')
  controller.abort(reason)
  await ended
  assert.deepEqual(
    (await files()).filter(name => name.includes('window-')),
    [],
  )
})

test('English speech translated to English is the transcript; translated to Spanish it is Spanish', needs, async () => {
  const { report } = await opened.run(
    'audio.translate',
    { ...ask({ firstSeconds: 4 }), targets: ['en-GB', 'es'] },
    { inputs: [await recording(reading)] },
  )
  const { text, translations } = report as unknown as TranslateResult
  assert.equal(translations['en-GB'], text)
  assert.match(translations.es ?? '', /considerar/)
})
