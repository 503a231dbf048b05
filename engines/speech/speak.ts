/** Converts the phonemes of a part of speech to sound, in the engine's child process. */

import { loudnessOf } from '@generation-gateway/kit/audio/loudness.ts'
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import { commonLoudness } from './levels.ts'
import { lapOf, makers, paceOf } from './makers.ts'
import type { HastenJob, ModelFiles, SpeakAnswer, SpeakJob } from './messages.ts'
import { openFlite } from './models/flite.ts'
import { openHibari } from './models/hibari.ts'
import { openKokoro } from './models/kokoro.ts'
import { openPiper } from './models/piper.ts'
import type { SpeakingModel } from './models/speaking-model.ts'
import { joeSettingsFile, kokoroVoicesFile, modelFile } from './packs.ts'
import { boosted, factorOf, withGain } from './sound/gain.ts'
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

/** Speaks one part of a text. The first job for a model opens the model, which then stays open. */
export async function speak(job: SpeakJob): Promise<SpeakAnswer> {
  const { maker, files, threads } = job
  // eSpeak is a separate program, which has already produced the sound.
  const model = maker === 'ESpeak' ? undefined : await loadOnce(open, maker, () => openers[maker](files, threads))
  return { samples: await samplesFor(model, job) }
}

/** Returns the sound sped up at the same pitch. */
export async function hasten({ samples, rate, factor }: HastenJob): Promise<SpeakAnswer> {
  return { samples: stretched(samples, rate, factor) }
}

async function samplesFor(model: SpeakingModel | undefined, job: SpeakJob): Promise<Float32Array> {
  const { maker, voice, speed, gain, isNormalized, isBoosted, liveliness, likeness, seed } = job
  const { sound, pauseMs: _, ...said } = job.part
  const { rate } = makers[maker]
  const pace = paceOf(maker, speed)
  const made = sound ?? (await model?.speak({ ...said, seed, voice, pace, liveliness, likeness }))
  if (!made) throw new TypeError(`${maker} speaks in no process of this engine`)
  const inside = { start: said.before !== undefined, end: said.after !== undefined }
  const paced = stretched(trimmed(made, rate, { start: !inside.start, end: !inside.end }), rate, speed / pace)
  const shaped = isBoosted ? boosted(paced, rate) : paced
  const loud = withGain(shaped, rate, factorOf(isNormalized ? gainToCommon(loudnessOf(shaped, rate)) : gain))
  return faded(loud, lapOf(maker, speed), inside)
}

/** Returns the gain in decibels from a loudness (LUFS) to the common loudness; 0 for a very soft
 *  sound such as a breath, which must not become loud. */
function gainToCommon(loudness: number): number {
  return loudness < -60 ? 0 : commonLoudness - loudness
}

function fileOf(files: ModelFiles, name: string): string {
  const path = files[name]
  if (path === undefined) throw new TypeError(`the file ${name} was not given`)
  return path
}
