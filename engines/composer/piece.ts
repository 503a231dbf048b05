/** A piece from its request to its samples. */
import { writeFile } from 'node:fs/promises'
import { compose } from './compose.ts'
import { drawCover } from './cover/cover.ts'
import { parseLyrics } from './form/lyrics.ts'
import type { PieceAnswer, PieceJob, Told } from './messages.ts'
import { type Stereo, sampleRate } from './render/rate.ts'
import { render } from './render/render.ts'
import { openBank } from './render/stage.ts'
import { pronounceLines } from './sing/pronounce.ts'
import { createVocal, lineTimes } from './sing/vocal.ts'
import { keyName } from './theory/key.ts'

export async function makePiece(job: PieceJob, tell: (told: Told) => void, progress: (fraction: number) => void): Promise<PieceAnswer> {
  const lyrics = job.lyrics === undefined ? [] : parseLyrics(job.lyrics)
  const syllablesOf = await pronounceLines(lyrics.flatMap(({ lines }) => lines))
  const { score, brief, leftOut } = compose({
    prompt: job.prompt,
    seed: job.seed,
    lyrics,
    syllablesOf,
    ...(job.seconds === undefined ? {} : { seconds: job.seconds }),
  })
  const { mix, ending } = brief.style
  await writeFile(job.cover, await drawCover(score, { style: brief.style.id, seed: job.seed }))
  tell({ kind: 'cover', path: job.cover })
  const lines = lineTimes(score)
  const voice = lines.length > 0 ? createVocal(score, brief.voice) : undefined
  let count = 0
  for await (const part of render({ score, mix, ending, bank: await openBank(job.bank), ...(voice ? { voice } : {}) })) {
    count += part.left.length
    tell({ kind: 'sound', samples: inTurn(part) })
    progress(Math.min(1, count / sampleRate / score.seconds))
  }
  return {
    seconds: count / sampleRate,
    style: score.style,
    title: score.title,
    bpm: Math.round(score.bpm * 100) / 100,
    key: keyName(score.key),
    lines,
    ...(leftOut.length > 0 ? { notSung: leftOut } : {}),
  }
}

function inTurn({ left, right }: Stereo): Float32Array {
  const samples = new Float32Array(2 * left.length)
  for (let index = 0; index < left.length; index++) {
    samples[2 * index] = left[index]!
    samples[2 * index + 1] = right[index]!
  }
  return samples
}
