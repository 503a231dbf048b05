/** A piece from its request to its samples. */
import { compose } from './compose.ts'
import type { PieceAnswer, PieceJob, Told } from './messages.ts'
import { type Stereo, sampleRate } from './render/rate.ts'
import { render } from './render/render.ts'
import { openBank } from './render/stage.ts'
import { keyName } from './theory/key.ts'

export async function makePiece(job: PieceJob, tell: (told: Told) => void, progress: (fraction: number) => void): Promise<PieceAnswer> {
  const { score, brief, leftOut } = compose({
    prompt: job.prompt,
    seed: job.seed,
    ...(job.seconds === undefined ? {} : { seconds: job.seconds }),
  })
  const { mix, ending } = brief.style
  let count = 0
  for await (const part of render({ score, mix, ending, bank: await openBank(job.bank) })) {
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
    lines: [],
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
