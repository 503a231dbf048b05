import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brightnessOf } from '../listen/brightness.ts'
import { chromaOf, keyOf } from '../listen/key.ts'
import { onsetsOf, tempoOf } from '../listen/tempo.ts'
import { loudness, needsSounds, onsetRate, play, type RenderedPiece, truePeak } from '../testing/sound.ts'
import { createLimiter } from './limiter.ts'
import { gainOf, sampleRate, stereo } from './rate.ts'

/** Length of the rendered pieces in seconds; this is long enough to measure the tempo. */
const seconds = 8
const played = new Map<string, Promise<RenderedPiece>>()
function piece(prompt: string): Promise<RenderedPiece> {
  const made = played.get(prompt) ?? play({ prompt, seconds })
  played.set(prompt, made)
  return made
}

const prompts = ['house in D minor, 124 bpm', 'ambient', 'metal'] as const

test('pieces of all kinds have the common loudness and stay below the ceiling', needsSounds, async () => {
  for (const prompt of prompts) {
    const { sound } = await piece(prompt)
    const lufs = loudness(sound)
    assert.ok(Math.abs(lufs + 14) < 1, `${prompt}: ${lufs} LUFS`)
    const peak = truePeak(sound)
    assert.ok(peak <= -1, `${prompt}: ${peak} dBTP`)
    assert.equal(sound.left.length, seconds * sampleRate)
  }
})

test('the audio has the tempo and the key that the prompt names', needsSounds, async () => {
  const house = await piece(prompts[0])
  const bpm = tempoOf(house.mono, sampleRate)?.bpm ?? 0
  assert.ok(Math.abs(bpm - 124) < 1, `${bpm} bpm`)
  assert.deepEqual(keyOf(chromaOf(house.mono, sampleRate)), { tonic: 2, mode: 'minor' })
})

test('styles differ in the number of notes, the brightness and the clearness of the beat', needsSounds, async () => {
  const facts = new Map<string, { onsets: number; brightness: number; clarity: number }>()
  for (const prompt of prompts) {
    const { mono } = await piece(prompt)
    facts.set(prompt, {
      onsets: onsetRate(onsetsOf(mono), 256),
      brightness: brightnessOf(mono, sampleRate),
      clarity: tempoOf(mono, sampleRate)?.clarity ?? 0,
    })
  }
  const of = (prompt: (typeof prompts)[number]) => facts.get(prompt) ?? { onsets: 0, brightness: 0, clarity: 0 }
  const said = JSON.stringify([...facts])
  assert.ok(of('metal').onsets > 1.5 * of('ambient').onsets, said)
  assert.ok(of('metal').brightness > 2 * of('ambient').brightness, said)
  assert.ok(of(prompts[0]).clarity > of('ambient').clarity + 0.25, said)
})

test('the limiter keeps a burst below its ceiling and does not change soft sound', () => {
  const sound = stereo(8192)
  for (let index = 0; index < 8192; index++) {
    const level = index > 3000 && index < 4000 ? 3 : 0.2
    sound.left[index] = level * Math.sin(index * 0.9)
    sound.right[index] = level * Math.cos(index * 1.3)
  }
  const out = createLimiter(gainOf(-1.5)).process(sound, 1)
  assert.ok(truePeak(out) <= -1.2, `${truePeak(out)} dBTP`)
  assert.ok(Math.abs((out.left[1192] ?? 0) - (sound.left[1000] ?? 0)) < 1e-6)
})
