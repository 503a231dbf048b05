/** Runs eSpeak NG as a child process, which converts lines of text to lines of IPA. eSpeak is under
 *  the GPL, so it is a separate program and not linked to the gateway. */
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { outputOf, startLimited } from '@generation-gateway/kit/process/limited-process.ts'
import { eSpeakPack, eSpeakProgram, eSpeakSounds, eSpeakVoicesPack } from './packs.ts'

interface ESpeak {
  /** Returns the IPA of each clause, in order; a `^` ties the two letters of a diphthong or
   *  affricate. `voice` is eSpeak's name of the voice. Throws `internal_error`. */
  read(clauses: readonly string[], voice: string, signal?: AbortSignal): Promise<string[]>
}

/** Returns eSpeak from the pack, else from the system; undefined when neither is installed. */
export function findESpeak(packs: PackFiles): ESpeak | undefined {
  const packed = packs.file(eSpeakPack, eSpeakProgram)
  const program = packed === undefined ? systemProgram() : packedProgram(packed, dirname(packed))
  return program && { read: (clauses, voice, signal) => readClauses(program, clauses, voice, signal) }
}

interface SpeakingESpeak {
  /** Returns a 16-bit mono WAV whose header has no valid length. `voice` is eSpeak's name of the
   *  voice; `wordsPerMinute` is 80 to 450. Throws `internal_error`. */
  speak(text: string, requested: { voice: string; wordsPerMinute: number; signal?: AbortSignal }): Promise<Buffer>
}

/** Returns eSpeak with its own voices, from the packs or else from the system; undefined when
 *  neither is installed. */
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
/** Largest file in bytes that eSpeak may write. eSpeak copies its standard input to a temporary
 *  file, so this is also the limit of the input. */
const fileBytes = 64 * 2 ** 20
const baseBytes = 500_000
/** Largest number of bytes of sound for each input character: three seconds of 16-bit samples at
 *  22,050 Hz. A digit or a symbol may become several words, which may be spoken slowly. */
const mostSoundPerChar = 3 * 44_100

/** Converts clauses to IPA. eSpeak normally prints one line for each paragraph, so each clause is
 *  sent as a paragraph. When the number of lines differs, the clauses are split into two halves,
 *  and each half is converted separately. */
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
  /** Text for the program's standard input. */
  text: string
  /** Largest output of the program in bytes; the program is stopped when it prints more. */
  mostBytes: number
  signal?: AbortSignal
}

async function run({ path, env }: Program, { args, text, mostBytes, signal }: Run): Promise<Buffer> {
  const timeMs = baseMs + text.length * msPerChar
  const child = startLimited(path, args, {
    ...{ signal, timeMs, cpuSeconds: timeMs / 1000, memoryBytes, fileBytes, priority: 'normal' },
    // Without `PULSE_RUNTIME_PATH`, PulseAudio's library, which eSpeak links, would create a
    // folder.
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
