/** Measures the sound that the engine produces. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { loudnessOf } from '@generation-gateway/kit/audio/loudness.ts'
import { namedVoices, t1Voices } from '@generation-gateway/kit/requests/voices.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { chooseSpeaker, chooseSpeakers } from './choose-voice.ts'
import { eSpeakVoices } from './espeak-voices.ts'
import { eSpeakPacks, eSpeakVoicesPack } from './language/espeak/packs.ts'
import { commonLoudness } from './levels.ts'
import { pitchOf } from './testing/pitch.ts'
import { type SpokenSound, speak } from './testing/speak.ts'
import { needsVoices, prose } from './testing/texts.ts'
import { isStoodInFor, voiceNamed, voices } from './voices.ts'

const eSpeakPack = eSpeakPacks.find(({ id }) => id === eSpeakVoicesPack)
/** Test options that skip a test when eSpeak is not installed. */
const needsESpeak = eSpeakPack ? needPack(eSpeakPack) : {}
const short = 'One night a storm came up, and the bell rang until the morning.'

function secondsOf({ samples, sampleRate }: SpokenSound): number {
  return samples.length / sampleRate
}

function peakOf(samples: Float32Array): number {
  return samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

/** Returns the seconds before the first and after the last sample above -40 dB of the peak. */
function silentEnds({ samples, sampleRate }: SpokenSound): [number, number] {
  const floor = peakOf(samples) / 100
  const first = samples.findIndex(value => Math.abs(value) > floor)
  const last = samples.findLastIndex(value => Math.abs(value) > floor)
  return [first / sampleRate, (samples.length - 1 - last) / sampleRate]
}

test('speech has the common loudness, does not clip, and has no long silence at its ends', needsVoices, async () => {
  for (const voice of ['heart', 'joe', 'slt', 'kal16']) {
    const spoken = await speak({ voice })
    const loudness = loudnessOf(spoken.samples, spoken.sampleRate)
    assert.ok(Math.abs(loudness - commonLoudness) < 1.5, `${voice}: ${loudness} LUFS`)
    assert.ok(peakOf(spoken.samples) < 0.95, `${voice}: peak ${peakOf(spoken.samples)}`)
    const [before, after] = silentEnds(spoken)
    assert.ok(before < 0.1 && after < 0.25, `${voice}: silence of ${before} and ${after} s`)
    assert.equal(spoken.characters, prose.length)
    assert.ok(Math.abs(spoken.seconds - secondsOf(spoken)) < 0.01)
  }
})

test('a voice of Kokoro speaks as loud as the others', needsVoices, async () => {
  const spoken = await speak({ voice: 'onyx', text: short })
  const loudness = loudnessOf(spoken.samples, spoken.sampleRate)
  assert.ok(Math.abs(loudness - commonLoudness) < 2, `${loudness} LUFS`)
  assert.ok(secondsOf(spoken) > 2.5 && secondsOf(spoken) < 6, `${secondsOf(spoken)} s`)
  assert.ok(pitchOf(spoken.samples, spoken.sampleRate) < 150, 'a man')
})

/** Returns the levels of consecutive sections of 20 ms, in decibels; a level below -40 dB of the
 *  loudest is raised to that. */
function envelopeOf({ samples, sampleRate }: SpokenSound): number[] {
  const size = Math.round(0.02 * sampleRate)
  const levels = Array.from({ length: Math.floor(samples.length / size) }, (_, index) => {
    const part = samples.subarray(index * size, (index + 1) * size)
    return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 1e-9) / size)
  })
  const floor = Math.max(...levels) - 40
  return levels.map(level => Math.max(level, floor))
}

function correlationOf(one: readonly number[], other: readonly number[]): number {
  const length = Math.min(one.length, other.length)
  const [a, b] = [one, other].map(values => {
    const mean = values.slice(0, length).reduce((sum, value) => sum + value / length, 0)
    return values.slice(0, length).map(value => value - mean)
  }) as [number[], number[]]
  const product = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, index) => sum + value * y[index]!, 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

test('the first words of a sentence are sent before the rest is made, and sound like in the whole sentence', needsVoices, async () => {
  for (const [language, voice, text] of [
    ['pt', 'pf_dora', 'O trem chegou atrasado porque havia muita neve nas montanhas.'],
    ['en', 'nova', 'Every evening its keeper climbed the stairs and lit the lamp.'],
  ]) {
    let pieces = 0
    const request = { language: language!, voice: voice! }
    const inParts = await speak({ ...request, text: text! }, { onSound: () => pieces++ })
    const atOnce = await speak({ ...request, text: '', cues: [{ startMs: 0, endMs: 20_000, text: text! }] })
    assert.ok(pieces > 1, `${pieces} pieces`)
    const ratio = inParts.samples.length / (atOnce.samples.findLastIndex(value => value !== 0) + 1)
    const likeness = correlationOf(envelopeOf(inParts), envelopeOf(atOnce))
    // For comparison: when the parts are spoken as separate utterances, the sound is 1.19 times as
    // long, and the similarity is only 0.1 to 0.2.
    assert.ok(Math.abs(ratio - 1) < 0.04 && likeness > 0.9, `${language}: ${ratio} times as long, likeness ${likeness}`)
  }
})

test('any speed from a quarter to four times is followed, at the same pitch', needsVoices, async () => {
  const usual = await speak({})
  const pitch = pitchOf(usual.samples, usual.sampleRate)
  for (const speed of [0.25, 0.5, 1.5, 4]) {
    const spoken = await speak({ speed })
    const ratio = secondsOf(usual) / secondsOf(spoken) / speed
    assert.ok(ratio > 0.85 && ratio < 1.15, `at ${speed}: ${ratio} of it`)
    const moved = pitchOf(spoken.samples, spoken.sampleRate) / pitch
    assert.ok(moved > 0.9 && moved < 1.12, `at ${speed} the pitch is ${moved} of what it was`)
  }
})

test('the volume is in decibels, and no gain causes clipping', needsVoices, async () => {
  const [usual, soft, loud] = await Promise.all([
    speak({ text: short }),
    speak({ text: short, volume: -12 }),
    speak({ text: short, volume: 18 }),
  ])
  const level = (spoken: SpokenSound) => loudnessOf(spoken.samples, spoken.sampleRate)
  assert.ok(Math.abs(level(usual) - level(soft) - 12) < 0.3)
  assert.ok(level(loud) > level(usual) + 7)
  assert.ok(peakOf(loud.samples) < 0.95)
  const even = await speak({ text: short, volume: 'normalized' })
  assert.ok(Math.abs(level(even) - commonLoudness) < 0.7, `${level(even)} LUFS`)
})

test('the same seed gives the same bytes, another seed gives others', needsVoices, async () => {
  for (const voice of ['heart', 'joe']) {
    const [one, same, other] = await Promise.all([1, 1, 2].map(seed => speak({ voice, text: short, seed })))
    assert.ok(one && same && other)
    assert.ok(one.bytes.equals(same.bytes), voice)
    assert.ok(!one.bytes.equals(other.bytes), voice)
  }
})

test('sound is sent before all of it is made, and a disconnected reader ends the work', needsVoices, async () => {
  const seen: number[] = []
  const leaving = new AbortController()
  const long = Array.from({ length: 200 }, (_, index) => `${prose} That was number ${index}.`).join(' ')
  const onSound = ({ length }: Uint8Array) => {
    seen.push(length)
    if (seen.length === 3) leaving.abort(new Error('has left'))
  }
  await assert.rejects(speak({ text: long }, { signal: leaving.signal, onSound }), /has left/)
  assert.ok(seen.length < 20)
  // A second request shows that the process still runs.
  assert.ok((await speak({ text: short })).seconds > 2)
})

test('a cue begins at its time, is shortened to fit, and the audio lasts until the end of the last cue', needsVoices, async () => {
  const cues = [
    { startMs: 1000, endMs: 3000, text: 'Good morning.' },
    { startMs: 4000, endMs: 5000, text: 'This sentence is a little too long for its second.' },
    { startMs: 7000, endMs: 12_000, text: 'The end.' },
  ]
  const spoken = await speak({ text: '', cues })
  assert.ok(Math.abs(secondsOf(spoken) - 12) < 0.01)
  const { samples, sampleRate } = spoken
  for (const { startMs } of cues) {
    const from = Math.round((startMs / 1000 - 0.3) * sampleRate)
    const floor = peakOf(samples) / 50
    const begin = samples.subarray(from).findIndex(value => Math.abs(value) > floor)
    const offMs = (begin / sampleRate - 0.3) * 1000
    assert.ok(Math.abs(offMs) < 50, `the cue of ${startMs} ms is off by ${offMs} ms`)
  }
})

test('a cue that is far too long for its time is sent while it is made, and ends when its reader disconnects', needsVoices, async () => {
  const cues = [{ startMs: 0, endMs: 2000, text: `${prose} `.repeat(40) }]
  const seen: number[] = []
  const leaving = new AbortController()
  const onSound = ({ length }: Uint8Array) => {
    seen.push(length)
    if (seen.length === 3) leaving.abort(new Error('has left'))
  }
  await assert.rejects(speak({ text: '', cues }, { signal: leaving.signal, onSound }), /has left/)
  const sentence = await speak({ text: prose })
  assert.ok(Math.max(...seen) < sentence.bytes.length, `${Math.max(...seen)} bytes at once`)
})

test('a cue of minutes fits its time, although its first words are sped up before its last words are made', needsVoices, async () => {
  const text = Array.from({ length: 12 }, (_, index) => `${prose} That was number ${index} of 12.`).join(' ')
  const whole = await speak({ text })
  let first = 0
  const slot = secondsOf(whole) / 1.3
  const onSound = ({ length }: Uint8Array) => {
    first ||= length
  }
  const spoken = await speak({ text: '', cues: [{ startMs: 0, endMs: slot * 1000, text }] }, { onSound })
  assert.ok(first < whole.bytes.length / 4, `${first} bytes at once`)
  assert.ok(secondsOf(spoken) < 1.05 * slot, `${secondsOf(spoken)} of ${slot} s`)
  const end = spoken.samples.findLastIndex(value => Math.abs(value) > 0.01) / spoken.sampleRate
  assert.ok(end > 0.9 * slot, `${end} of ${slot} s`)
})

test('passages are spoken each with its own voice and pause, at one sample rate', needsVoices, async () => {
  const passages = [
    { text: 'This is the first voice.', pauseMs: 0 },
    { text: 'And this is the second one.', voice: 'joe', pauseMs: 1500 },
    { text: '', pauseMs: 500 },
  ]
  const { samples, sampleRate, characters } = await speak({ text: '', passages })
  assert.equal(characters, 51)
  assert.ok(samples.subarray(-Math.round(0.5 * sampleRate)).every(value => value === 0))
  // The longest silence before the end is the pause between the two passages.
  const floor = peakOf(samples) / 100
  let [from, best] = [0, { from: 0, to: 0 }]
  for (const [at, value] of samples.subarray(0, -0.6 * sampleRate).entries()) {
    if (Math.abs(value) < floor) continue
    if (at - from > best.to - best.from) best = { from, to: at }
    from = at
  }
  const pause = (best.to - best.from) / sampleRate
  assert.ok(pause > 1.45 && pause < 1.75, `${pause} s`)
  const [she, he] = [samples.subarray(0, best.from), samples.subarray(best.to)].map(part => pitchOf(part, sampleRate)) as [number, number]
  assert.ok(she > 150 && he < 140, `${she} and ${he} Hz`)
  await assert.rejects(speak({ text: '', passages: [{ text: 'Hi.', voice: 'nobody', pauseMs: 0 }] }), /voice: there is no voice "nobody"/)
})

test('steadier speech varies its pitch less', needsVoices, async () => {
  const spread = async (stability: number) => {
    const { samples, sampleRate } = await speak({ style: { stability } })
    return pitchOf(samples, sampleRate, 'spread')
  }
  assert.ok((await spread(1)) < 0.8 * (await spread(0)))
})

test('a finished wav file states its length', needsVoices, async () => {
  const { path, seconds } = await speak({ text: short, format: { container: 'wav' } })
  const file = await readFile(path ?? '')
  assert.equal(file.readUInt32LE(40), file.length - 44)
  assert.equal(file.length - 44, Math.round(seconds * 24_000) * 2)
})

test('Spanish has a native voice by default, and is refused for voices that know only English', needsVoices, async () => {
  const spoken = await speak({ text: '¿Dónde está la casa de los niños?' })
  assert.ok(spoken.seconds > 1 && spoken.seconds < 5, `${spoken.seconds} s`)
  await assert.rejects(
    speak({ text: 'Hola.', language: 'es', voice: 'joe' }),
    /voice: joe speaks English only; in Spanish speak ef_dora, em_alex, em_santa, and every other voice of Kokoro/,
  )
})

test('eSpeak speaks the languages that no other voice knows, at the common loudness and the requested speed', needsESpeak, async () => {
  const german = 'Der alte Leuchtturm stand auf einem Felsen über dem Meer, und jeden Abend zündete der Wärter die Lampe an.'
  const spoken = await speak({ text: german })
  assert.ok(spoken.seconds > 4 && spoken.seconds < 10, `${spoken.seconds} s`)
  assert.ok(Math.abs(loudnessOf(spoken.samples, 22_050) - commonLoudness) < 2, `${loudnessOf(spoken.samples, 22_050)} LUFS`)
  const fast = await speak({ text: german, speed: 4, voice: 'espeak_de' })
  assert.ok(Math.abs(spoken.seconds / fast.seconds / 4 - 1) < 0.2, `${fast.seconds} s`)
  assert.ok((await speak({ text: 'Dobry wieczór', language: 'pl' })).seconds > 0.5)
  await assert.rejects(speak({ language: 'sv', voice: 'espeak_de' }), /voice: espeak_de speaks German only; in Swedish speaks espeak_sv/)
})

test('a voice named by an API speaks every language: another voice stands in where its own voice cannot', () => {
  const everything = { canSpeak: () => true, canRead: () => true }
  const chosen = (voice: string, language: string) => {
    const speaker = chooseSpeaker({ text: 'x', voice, language, speed: 1, volume: 0, format: { container: 'wav' } }, everything)
    return 'refusal' in speaker ? speaker.refusal.message : [speaker.voice.id, speaker.language, speaker.isStandIn]
  }
  assert.deepEqual(chosen('onyx', 'de'), ['espeak_de', 'de', true])
  assert.deepEqual(chosen('coral', 'ja'), ['espeak_ja', 'ja', true])
  assert.deepEqual(chosen('TxGEqnHWrfWFTfGW9XjX', 'es'), ['em_alex', 'es', true])
  assert.deepEqual(chosen('onyx', 'es'), ['am_onyx', 'es', false])
  assert.match(String(chosen('am_onyx', 'de')), /^voice: am_onyx does not speak German/)
})

test('an unknown voice or language is refused with the available ones', needsVoices, async () => {
  await assert.rejects(
    speak({ voice: 'nobody' }),
    /^GatewayError: voice: there is no voice "nobody"; there are alloy, nova, heart and \d+ others\.$/,
  )
  await assert.rejects(speak({ voice: 'Corral' }), /^GatewayError: voice: there is no voice "Corral"; near (is|are) coral/)
  await assert.rejects(speak({ voice: 'rachel' }), /near (is|are) 21m00Tcm4TlvDq8ikWAM/)
  await assert.rejects(speak({ text: 'นกตัวเล็กบินอยู่บนท้องฟ้า' }), /text: this engine has no voice for Thai; it speaks English/)
  await assert.rejects(speak({ language: 'xx' }), /language: this engine has no voice for xx/)
  await assert.rejects(speak({ voice: 'joe', language: 'ja' }), /voice: joe does not speak Japanese; in Japanese speaks espeak_ja/)
})

test('a refusal names the field of the request; passages of an eSpeak voice are in the language of the voice', () => {
  const bare = { canSpeak: () => false, canRead: () => false }
  const text = 'Quiero aprender a cocinar los platos que hacía mi madre.'
  const request = { text, speed: 1, volume: 0, format: { container: 'wav' } } as const
  const fieldOf = (changes: object) => {
    const speakers = chooseSpeakers({ ...request, ...changes }, bare)
    return 'refusal' in speakers ? speakers.refusal.field : undefined
  }
  const passages = [{ text, pauseMs: 0 }]
  assert.deepEqual([fieldOf({}), fieldOf({ passages })], ['text', 'text'])
  assert.deepEqual([fieldOf({ language: 'es' }), fieldOf({ language: 'es', passages })], ['language', 'language'])
  const there = { canSpeak: () => true, canRead: () => true }
  for (const own of [{}, { passages }]) {
    const speakers = chooseSpeakers({ ...request, ...own, voice: 'espeak_sw' }, there)
    assert.deepEqual('refusal' in speakers ? speakers.refusal.message : speakers.map(({ language }) => language), ['sw'])
  }
})

test('every named voice has an engine voice of the same sex; the voices of an API have different ones', () => {
  const spoken = namedVoices.map(({ id, sex, age, language }) => {
    const voice = voiceNamed(id)
    assert.ok(voice, id)
    assert.equal(voice.sex, sex, id)
    if (isStoodInFor(id) && language === 'en-US') assert.deepEqual([voice.age, voice.language], [age, language], id)
    return { id, own: voice.id }
  })
  const own = spoken.filter(({ id }) => !isStoodInFor(id)).map(each => each.own)
  assert.equal(own.length, 6 + 17)
  // The names shimmer and Rachel both stand for the engine voice heart, so there is one voice less
  // than there are names.
  assert.equal(new Set(own).size, own.length - 1)
  // The voices that OpenAI added later also stand for different engine voices.
  const added = t1Voices.map(({ id }) => voiceNamed(id)?.id)
  assert.equal(new Set(added).size, 13)
  assert.equal(voices.length, 54 + 1 + 1 + 1 + 4 + eSpeakVoices.length)
})
