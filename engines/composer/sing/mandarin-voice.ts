/** The Chinese voice: every syllable of pinyin on one even tone, said by Kokoro once (bench/music/make-mandarin.ts) and kept as envelopes. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { readAs } from '@generation-gateway/kit/check-json.ts'
import Type from 'typebox'
import { frameBytes, framesOf, initialOf } from './mandarin-frames.ts'
import { syllableMark } from './phones.ts'
import type { Spoken, SpokenPhone } from './speaker.ts'

interface Kept {
  /** Frames of its initial. */
  onset: number
  frames: Uint8Array[]
}

let kept: Promise<Map<string, Kept>> | undefined

/** Phones of a syllable of pinyin without its tone: its initial where it has one, and the rest. */
export function mandarinPhones(syllable: string): string[] {
  const initial = initialOf(syllable)
  return [...(initial === '' ? [] : [`${initial}${syllableMark}`]), `${syllableMark}${syllable.slice(initial.length)}`]
}

export function isMandarin(phones: readonly string[]): boolean {
  return phones.at(-1)?.startsWith(syllableMark) ?? false
}

/** One behind the other. Throws `RangeError` for a syllable that there is not. */
export async function speakMandarin(syllables: readonly (readonly string[])[]): Promise<Spoken> {
  const voice = await theVoice()
  const frames: Uint8Array[] = []
  const phones: SpokenPhone[] = []
  for (const names of syllables) {
    const name = names.join('').replaceAll(syllableMark, '')
    const syllable = voice.get(name)
    if (!syllable) throw new RangeError(`the Chinese voice has no syllable ${name}`)
    const start = frames.length
    frames.push(...syllable.frames)
    const middle = start + (names.length > 1 ? syllable.onset : 0)
    if (names.length > 1) phones.push({ name: names[0] ?? '', start, end: middle })
    phones.push({ name: names.at(-1) ?? '', start: middle, end: frames.length })
  }
  return { frames: framesOf(frames), phones }
}

/** Names of the syllables that it has. */
export async function mandarinSyllables(): Promise<ReadonlySet<string>> {
  return new Set((await theVoice()).keys())
}

function theVoice(): Promise<Map<string, Kept>> {
  kept ??= readVoice()
  return kept
}

const indexSchema = Type.Array(Type.Tuple([Type.String(), Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 1 })]))

async function readVoice(): Promise<Map<string, Kept>> {
  const bytes = await promisify(brotliDecompress)(await readFile(new URL('./mandarin.bin', import.meta.url)))
  const headBytes = bytes.readUInt32LE(0)
  const index = readAs(indexSchema, JSON.parse(bytes.toString('utf8', 4, 4 + headBytes)), 'mandarin.bin')
  let at = 4 + headBytes
  return new Map(
    index.map(([name, onset, count]) => {
      const frames = Array.from({ length: count }, (_, frame) => bytes.subarray(at + frame * frameBytes, at + (frame + 1) * frameBytes))
      at += count * frameBytes
      return [name, { onset, frames }]
    }),
  )
}
