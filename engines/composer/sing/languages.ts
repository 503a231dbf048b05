/** Lines in several languages: each word by the voice that knows it. */
import type { HibariFrames } from '@generation-gateway/kit/voice/hibari-sound.ts'
import { isMandarin, speakMandarin } from './mandarin-voice.ts'
import type { Speaker, Spoken, SpokenWord } from './speaker.ts'

/** Words one behind the other, with the phones of all of them in their order. `pace` is 1 as usual, 2 twice as fast; Chinese syllables have one pace. */
export async function speakAll(words: readonly SpokenWord[], { pace, speaker }: { pace: number; speaker: Speaker }): Promise<Spoken> {
  const runs: { isChinese: boolean; words: SpokenWord[] }[] = []
  for (const word of words) {
    const isChinese = isMandarin(word.phones)
    const run = runs.at(-1)
    if (run?.isChinese === isChinese) run.words.push(word)
    else runs.push({ isChinese, words: [word] })
  }
  const parts: Spoken[] = []
  for (const run of runs)
    parts.push(run.isChinese ? await speakMandarin(run.words.map(({ phones }) => phones)) : await speaker.speak(run.words, pace))
  const [only] = parts
  return only && parts.length === 1 ? only : joined(parts)
}

function joined(parts: readonly Spoken[]): Spoken {
  const phones: Spoken['phones'] = []
  let at = 0
  for (const part of parts) {
    phones.push(...part.phones.map(({ name, start, end }) => ({ name, start: start + at, end: end + at })))
    at += part.frames.frames
  }
  const all = parts.map(({ frames }) => frames)
  const of = (name: 'lh' | 'theta' | 'ln' | 'lr' | 'phi') => sideBySide(all, name, at)
  const frames = { frames: at, lh: of('lh'), theta: of('theta'), ln: of('ln'), lr: of('lr'), phi: of('phi') }
  return { frames: { ...frames, f0: Float32Array.from(all.flatMap(({ f0 }) => [...f0])) }, phones }
}

/** Rows of bins, each with the frames of all parts. */
function sideBySide(parts: readonly HibariFrames[], name: 'lh' | 'theta' | 'ln' | 'lr' | 'phi', count: number): Float32Array {
  const bins = (parts[0]?.[name].length ?? 0) / (parts[0]?.frames ?? 1)
  const out = new Float32Array(bins * count)
  let at = 0
  for (const part of parts) {
    for (let bin = 0; bin < bins; bin++) out.set(part[name].subarray(bin * part.frames, (bin + 1) * part.frames), bin * count + at)
    at += part.frames
  }
  return out
}
