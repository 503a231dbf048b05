/** A piece of speech from its phonemes to its sound: in the engine's process. */

import { loudnessOf } from '@generation-gateway/kit/audio/loudness.ts'
import { commonLoudness } from './levels.ts'
import { lapOf, makers, paceOf } from './makers.ts'
import type { ModelFiles, SpeakAnswer, SpeakJob, SpokenPart } from './messages.ts'
import { openFlite } from './models/flite.ts'
import { openHibari } from './models/hibari.ts'
import { openKokoro } from './models/kokoro.ts'
import { openPiper } from './models/piper.ts'
import type { SpeakingModel } from './models/speaking-model.ts'
import { joeSettingsFile, kokoroVoicesFile, modelFile } from './packs.ts'
import { boosted, factorOf, withGain } from './sound/gain.ts'
import { createJoiner } from './sound/join.ts'
import { stretched } from './sound/stretch.ts'
import { faded, trimmed } from './sound/trim.ts'
import type { Maker } from './voices.ts'

type ModelMaker = Exclude<Maker, 'ESpeak'>

const openers: Readonly<Record<ModelMaker, (files: ModelFiles, threads: number) => Promise<SpeakingModel>>> = {
  Hibari: (files, threads) => openHibari(fileOf(files, modelFile), threads),
  Kokoro: (files, threads) => openKokoro({ model: fileOf(files, modelFile), voices: fileOf(files, kokoroVoicesFile) }, threads),
  Piper: (files, threads) => openPiper({ model: fileOf(files, modelFile), settings: fileOf(files, joeSettingsFile) }, threads),
  Flite: () => openFlite(),
}

const open = new Map<ModelMaker, Promise<SpeakingModel>>()

/** The model is opened by the first job that needs it, and kept. */
export async function speak(job: SpeakJob): Promise<SpeakAnswer> {
  const { maker, files, threads, parts, speed, mostSeconds } = job
  const { rate } = makers[maker]
  // eSpeak is a program of its own, which has spoken already.
  const model = maker === 'ESpeak' ? undefined : await (open.get(maker) ?? opened(maker, files, threads))
  const pieces: Float32Array[] = []
  const joiner = createJoiner()
  for (const [index, part] of parts.entries()) {
    // A part at the end of the job passes into the first one of the next.
    const lap = part.after === undefined || index === parts.length - 1 ? 0 : lapOf(maker, speed)
    pieces.push(joiner.add(await pieceOf(model, job, { ...part, seed: job.seed + index }), lap))
    if (index < parts.length - 1) pieces.push(new Float32Array(Math.round(((part.pauseMs / speed) * rate) / 1000)))
  }
  const whole = joined(pieces)
  const seconds = whole.length / rate
  if (mostSeconds === undefined || seconds <= mostSeconds) return { samples: whole }
  return { samples: stretched(whole, rate, Math.min(2, seconds / Math.max(mostSeconds, 0.001))) }
}

function opened(maker: ModelMaker, files: ModelFiles, threads: number): Promise<SpeakingModel> {
  const model = openers[maker](files, threads)
  open.set(maker, model)
  // One that could not be opened is tried again by the next job.
  model.catch(() => open.delete(maker))
  return model
}

interface Piece extends SpokenPart {
  seed: number
}

async function pieceOf(model: SpeakingModel | undefined, job: SpeakJob, { sound, pauseMs: _, ...said }: Piece): Promise<Float32Array> {
  const { maker, voice, speed, gain, isNormalized, isBoosted, liveliness, likeness } = job
  const { rate } = makers[maker]
  const pace = paceOf(maker, speed)
  const made = sound ?? (await model?.speak({ ...said, voice, pace, liveliness, likeness }))
  if (!made) throw new TypeError(`${maker} speaks in no process of this engine`)
  const inside = { start: said.before !== undefined, end: said.after !== undefined }
  const paced = stretched(trimmed(made, rate, { start: !inside.start, end: !inside.end }), rate, speed / pace)
  const shaped = isBoosted ? boosted(paced, rate) : paced
  const loud = withGain(shaped, rate, factorOf(isNormalized ? gainToCommon(loudnessOf(shaped, rate)) : gain))
  return faded(loud, lapOf(maker, speed), inside)
}

/** Decibels; what is as soft as a breath stays so. */
function gainToCommon(loudness: number): number {
  return loudness < -60 ? 0 : commonLoudness - loudness
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function fileOf(files: ModelFiles, name: string): string {
  const path = files[name]
  if (path === undefined) throw new TypeError(`the file ${name} was not given`)
  return path
}
