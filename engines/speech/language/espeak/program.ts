/** eSpeak NG as a child process: lines of text in, lines of IPA out. It is under the GPL: a program of its own, never part of this one. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { eSpeakPack, eSpeakProgram } from './packs.ts'

export interface ESpeak {
  /** IPA of each clause, in order; diphthongs and affricates are tied by `^`. `voice` as eSpeak calls it. Throws `internal_error`. */
  read(clauses: readonly string[], voice: string, signal?: AbortSignal): Promise<string[]>
}

/** The pack's, else the system's own; undefined where there is neither. */
export function findESpeak(packs: PackFiles): ESpeak | undefined {
  const packed = packs.file(eSpeakPack, eSpeakProgram)
  if (packed !== undefined) {
    const folder = dirname(packed)
    return {
      read: (clauses, voice, signal) =>
        readClauses({ path: packed, env: { LD_LIBRARY_PATH: folder, ESPEAK_DATA_PATH: folder } }, clauses, voice, signal),
    }
  }
  const system = (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, eSpeakProgram))
    .find(isProgram)
  return system === undefined
    ? undefined
    : { read: (clauses, voice, signal) => readClauses({ path: system, env: {} }, clauses, voice, signal) }
}

interface Program {
  path: string
  env: Record<string, string>
}

const baseMs = 10_000
const msPerChar = 1
const mostOutputPerChar = 60

/** Each clause is a paragraph of its own and comes out as one line. Where eSpeak made more lines of one, the halves are read by themselves. */
async function readClauses(program: Program, clauses: readonly string[], voice: string, signal?: AbortSignal): Promise<string[]> {
  if (clauses.length === 0) return []
  const lines = (await run(program, clauses.join('\n\n'), voice, signal)).split('\n').filter(line => line.trim() !== '')
  if (lines.length === clauses.length) return lines
  if (clauses.length === 1) return [lines.join(' ')]
  const middle = Math.ceil(clauses.length / 2)
  const left = await readClauses(program, clauses.slice(0, middle), voice, signal)
  return [...left, ...(await readClauses(program, clauses.slice(middle), voice, signal))]
}

function run({ path, env }: Program, text: string, voice: string, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, ['-q', '--ipa', '--tie=^', '-b', '1', '-v', voice, '--stdin'], {
      // PulseAudio's library, which it links, would make a folder for itself otherwise.
      env: { ...env, LC_ALL: 'C.UTF-8', PULSE_RUNTIME_PATH: '/dev/null' },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: baseMs + text.length * msPerChar,
      killSignal: 'SIGKILL',
      ...(signal ? { signal } : {}),
    })
    const parts: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > 10_000 + text.length * mostOutputPerChar) child.kill('SIGKILL')
      else parts.push(part)
    })
    const fail = (cause?: unknown): void =>
      reject(signal?.aborted ? signal.reason : new GatewayError('internal_error', 'eSpeak NG failed on this text.', { cause }))
    child.on('error', fail)
    child.on('close', code => (code === 0 ? resolve(Buffer.concat(parts).toString()) : fail()))
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
