import Type from 'typebox'
import type { MusicRequest } from '../music.ts'
import type { SpeechRequest } from '../speech.ts'
import type { TranscribeRequest, TranslateRequest } from '../transcript.ts'
import { closed, filledList, flag, language, list, maybe, oneOf, real, schemaOf, seed, text, whole, word } from './fields.ts'

const dayMs = 24 * 3_600_000
const time = real(0, dayMs)
/** Largest number of cues or passages of one narration. */
const mostParts = 100_000
const sounds = list(closed({ service: word(500), id: word(1_024) }), 10)

export const speechSchema = schemaOf<SpeechRequest>()({
  text: text(),
  cues: maybe(filledList(closed({ startMs: time, endMs: time, text: text() }), mostParts)),
  passages: maybe(filledList(closed({ text: text(), voice: maybe(word()), pauseMs: time }), mostParts)),
  voice: maybe(word()),
  quality: maybe(oneOf('best')),
  instructions: maybe(text()),
  speed: real(0.1, 10),
  volume: Type.Union([real(-100, 100), Type.Literal('normalized')]),
  format: closed({
    container: oneOf('mp3', 'opus', 'aac', 'm4a', 'flac', 'wav', 'pcm', 'ulaw', 'alaw'),
    sampleRate: maybe(whole(4_000, 192_000)),
    bitRate: maybe(whole(4_000, 1_000_000)),
  }),
  language: maybe(language),
  previousText: maybe(text()),
  nextText: maybe(text()),
  previousSounds: maybe(sounds),
  nextSounds: maybe(sounds),
  style: maybe(
    closed({
      stability: maybe(real(0, 1)),
      similarity: maybe(real(0, 1)),
      exaggeration: maybe(real(0, 1)),
      boost: maybe(Type.Boolean()),
    }),
  ),
  pronunciations: maybe(list(closed({ word: word(), say: text(1_000) }), 1_000)),
  seed: maybe(whole(0, 2 ** 32 - 1)),
  isPrivate: maybe(flag),
})

const recognition = {
  languages: list(language, 200),
  candidates: maybe(flag),
  early: maybe(flag),
  prompt: maybe(text()),
  temperature: real(0, 2),
  words: Type.Boolean(),
  logprobs: Type.Boolean(),
  speakers: maybe(closed({ most: maybe(whole(1, 1_000)), names: list(text(200), 100) })),
  channels: maybe(list(whole(0, 100), 100)),
  voiceActivity: maybe(
    closed({ threshold: maybe(real(0, 1)), silenceMs: maybe(real(0, 3_600_000)), paddingMs: maybe(real(0, 3_600_000)) }),
  ),
  profanity: oneOf('kept', 'masked', 'removed', 'tagged'),
  firstSeconds: maybe(real(1, dayMs / 1000)),
}

export const transcribeSchema = schemaOf<TranscribeRequest>()(recognition)
export const translateSchema = schemaOf<TranslateRequest>()({ ...recognition, targets: list(language, 200) })

export const musicSchema = schemaOf<MusicRequest>()({
  lyrics: maybe(text()),
  prompt: maybe(text()),
  count: whole(1, 10),
  seconds: maybe(real(1, 600)),
  stream: maybe(flag),
  seed,
})
