/** Makes one piece in the child process: from the request to the rendered samples. */
import { writeFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { throttledGiveWay } from '@generation-gateway/kit/process/throttled-give-way.ts'
import { compose } from './compose.ts'
import { drawCover } from './cover/cover.ts'
import { parseLyrics } from './form/lyrics.ts'
import { phrasesOf } from './form/phrases.ts'
import { backingAt, backingGain, type InputMaterial, listenTo, vocalAt } from './input-material.ts'
import type { PieceAnswer, PieceEvent, PieceJob } from './messages.ts'
import { type Stereo, sampleRate } from './render/rate.ts'
import { type RenderRequest, render } from './render/render.ts'
import { openBank } from './render/stage.ts'
import type { Score } from './score.ts'
import type { Singer } from './sing/line.ts'
import { pronounceLines } from './sing/pronounce.ts'
import { openSpeaker, type Speaker } from './sing/speaker.ts'
import { createVocal, lineTimes } from './sing/vocal.ts'
import { keyName } from './theory/key.ts'

export async function makePiece(job: PieceJob, call: EngineCall): Promise<PieceAnswer> {
  const tell = (reported: PieceEvent) => call.tell(reported)
  const giveWay = throttledGiveWay(call.giveWay)
  const { prompt, seed } = job
  const lyrics = job.lyrics === undefined ? [] : parseLyrics(job.lyrics)
  // When the request provides a recorded voice, no lyrics are sung, so no pronunciations are looked
  // up.
  const isRecorded = job.inputs.some(({ role }) => role === 'vocal')
  const syllablesOf = await pronounceLines(isRecorded ? [] : lyrics.flatMap(({ lines }) => lines).flatMap(phrasesOf))
  const given = await listenTo(job.inputs, { prompt, seed, isSung: lyrics.length > 0, giveWay })
  await giveWay()
  const { score, brief, leftOut } = compose({
    ...{ prompt, seed, lyrics, syllablesOf, measured: given.measured },
    ...(job.seconds === undefined ? {} : { seconds: job.seconds }),
    ...(given.tune ? { tune: given.tune } : {}),
    ...(given.backing ? { backingSeconds: given.backing.wait + given.backing.sound.left.length / sampleRate } : {}),
  })
  await giveWay()
  await writeFile(job.cover, await drawCover(score, { style: brief.style.id, seed }))
  tell({ kind: 'cover', path: job.cover })
  const { mix, ending } = brief.style
  const lines = lineTimes(score)
  await giveWay()
  const bank = await openBank(job.sounds.bank)
  await using speaker = job.sounds.voice === undefined ? undefined : await openSpeaker(job.sounds.voice)
  let count = 0
  const beside = soundsOf(given, { score, singer: brief.voice, speaker, giveWay })
  for await (const part of render({ ...beside, score, mix, ending, bank, giveWay })) {
    count += part.left.length
    tell({ kind: 'sound', samples: inTurn(part) })
    call.progress(Math.min(1, count / sampleRate / score.seconds))
    // Node sends messages to the parent process only when this thread returns to the event loop, so
    // this waits for the next turn of the loop.
    await setImmediate()
    await giveWay()
  }
  return {
    seconds: count / sampleRate,
    style: score.style,
    title: score.title,
    bpm: Math.round(score.bpm * 100) / 100,
    key: keyName(score.key),
    lines,
    ...(leftOut.length > 0 && !isRecorded ? { notSung: leftOut.map(line => line.trimEnd()) } : {}),
  }
}

/** Returns what is mixed with the instruments: a singer (recorded, or synthesised when there are
 *  lyrics), a recorded backing, or both; and the brightness of a reference recording. */
function soundsOf(
  given: InputMaterial,
  { score, singer, speaker, giveWay }: { score: Score; singer: Singer; speaker: Speaker | undefined } & Pick<EngineCall, 'giveWay'>,
): Partial<Pick<RenderRequest, 'voice' | 'given' | 'brightness'>> {
  const isSung = score.sections.some(({ lines }) => lines.length > 0)
  const opening = score.sections.find(({ kind }) => kind !== 'intro')?.start ?? 0
  const voice = given.vocal
    ? vocalAt(given.vocal, (opening * 60) / score.bpm + given.vocal.wait)
    : isSung
      ? createVocal(score, { singer, speaker: required(speaker), giveWay })
      : undefined
  return {
    ...(voice ? { voice } : {}),
    ...(given.backing ? { given: backingAt(given.backing, backingGain(given.backing)) } : {}),
    ...(given.brightness === undefined ? {} : { brightness: given.brightness }),
  }
}

function required(speaker: Speaker | undefined): Speaker {
  if (!speaker) throw new TypeError('a piece with words came without a voice')
  return speaker
}

function inTurn({ left, right }: Stereo): Float32Array {
  const samples = new Float32Array(2 * left.length)
  for (let index = 0; index < left.length; index++) {
    samples[2 * index] = left[index]!
    samples[2 * index + 1] = right[index]!
  }
  return samples
}
