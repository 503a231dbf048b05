/** eSpeak NG as a child process: lines of text in, lines of IPA out. It is under the GPL: a
 *  program of its own, never part of this one. */
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { outputOf, startLimited } from '@generation-gateway/kit/process/limited-process.ts'
import { eSpeakPack, eSpeakProgram, eSpeakSounds, eSpeakVoicesPack } from './packs.ts'

interface ESpeak {
  /** IPA of each clause, in order; diphthongs and affricates are tied by `^`. `voice` as eSpeak
   *  calls it. Throws `internal_error`. */
  read(clauses: readonly string[], voice: string, signal?: AbortSignal): Promise<string[]>
}

/** The pack's, else the system's own; undefined where there is neither. */
export function findESpeak(packs: PackFiles): ESpeak | undefined {
  const packed = packs.file(eSpeakPack, eSpeakProgram)
  const program = packed === undefined ? systemProgram() : packedProgram(packed, dirname(packed))
  return program && { read: (clauses, voice, signal) => readClauses(program, clauses, voice, signal) }
}

interface SpeakingESpeak {
  /** A WAV of 16 bits, mono, whose header does not tell its length. `voice` as eSpeak calls it,
   *  at so many words a minute (80 to 450). Throws `internal_error`. */
  speak(text: string, requested: { voice: string; wordsPerMinute: number; signal?: AbortSignal }): Promise<Buffer>
}

/** eSpeak with the voices that it has itself: the packs', else the system's own. */
export function findESpeakVoices(packs: PackFiles): SpeakingESpeak | undefined {
  const packed = packs.file(eSpeakPack, eSpeakProgram)
  const sounds = packs.file(eSpeakVoicesPack, eSpeakSounds)
  const program = packed !== undefined && sounds !== undefined ? packedProgram(packed, dirname(sounds)) : systemProgram()
  return (
    program && {
      speak: (text, { voice, wordsPerMinute, signal }) => {
        const args = ['-b', '1', '-v', voice, '-s', String(wordsPerMinute), '--stdout', '--stdin']
        return run(program, { args, text, mostBytes: baseBytes + text.length * mostSoundPerChar, ...(signal ? { signal } : {}) })
      },
    }
  )
}

function packedProgram(path: string, data: string): Program {
  return { path, env: { LD_LIBRARY_PATH: dirname(path), ESPEAK_DATA_PATH: data } }
}

function systemProgram(): Program | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const path = folders.map(folder => join(folder, eSpeakProgram)).find(isProgram)
  return path === undefined ? undefined : { path, env: {} }
}

interface Program {
  path: string
  env: Record<string, string>
}

const baseMs = 10_000
const msPerChar = 1
const mostOutputPerChar = 60
const memoryBytes = 2 ** 30
/** It keeps what it reads from standard input in a temporary file. */
const fileBytes = 64 * 2 ** 20
const baseBytes = 500_000
/** Three seconds: a digit or a sign may be several words, and the pace slow. */
const mostSoundPerChar = 3 * 44_100

/** Each clause is a paragraph of its own and comes out as one line. Where eSpeak made more lines
 *  of one, the halves are read by themselves. */
async function readClauses(program: Program, clauses: readonly string[], voice: string, signal?: AbortSignal): Promise<string[]> {
  if (clauses.length === 0) return []
  const text = clauses.join('\n\n')
  const args = ['-q', '--ipa', '--tie=^', '-b', '1', '-v', voice, '--stdin']
  const said = await run(program, { args, text, mostBytes: 10_000 + text.length * mostOutputPerChar, ...(signal ? { signal } : {}) })
  const lines = said
    .toString()
    .split('\n')
    .filter(line => line.trim() !== '')
  if (lines.length === clauses.length) return lines
  if (clauses.length === 1) return [lines.join(' ')]
  const middle = Math.ceil(clauses.length / 2)
  const left = await readClauses(program, clauses.slice(0, middle), voice, signal)
  return [...left, ...(await readClauses(program, clauses.slice(middle), voice, signal))]
}

interface Run {
  args: readonly string[]
  /** For its standard input. */
  text: string
  /** Of its standard output; more ends it. */
  mostBytes: number
  signal?: AbortSignal
}

async function run({ path, env }: Program, { args, text, mostBytes, signal }: Run): Promise<Buffer> {
  const timeMs = baseMs + text.length * msPerChar
  const child = startLimited(path, args, {
    ...{ signal, timeMs, cpuSeconds: timeMs / 1000, memoryBytes, fileBytes, priority: 'normal' },
    // PulseAudio's library, which it links, would make a folder for itself otherwise.
    env: { ...env, LC_ALL: 'C.UTF-8', PULSE_RUNTIME_PATH: '/dev/null' },
  })
  const failed = (cause: unknown) => new GatewayError('internal_error', 'eSpeak NG failed on this text.', { cause })
  const { end, output } = await outputOf(child, text, mostBytes).catch((error: unknown) => {
    throw signal?.aborted ? error : failed(error)
  })
  if (end.kind !== 'done') throw failed(new Error(`eSpeak NG ended with ${end.how}: ${end.said}`))
  return output
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
