/** Runs whisper.cpp's program over a window of sound. */
import { readFile, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { childEnvironment } from '@generation-gateway/kit/process/child-process.ts'
import { startLimited } from '@generation-gateway/kit/process/limited-process.ts'
import { parseOutput, type WhisperOutput } from './output.ts'
import { alignmentPreset, optionsOf } from './program.ts'
import { shortWeights } from './short-weights.ts'

export interface WhisperSetup {
  program: string
  weights: string
  threads: number
  priority?: EnginePriority | undefined
}

interface WhisperRequest {
  /** WAV file, 16 kHz, mono, at most 30 seconds. */
  path: string
  seconds: number
  /** Whisper's code of the language; `auto` detects it from the sound. */
  language: string
  /** True for a translation into English. */
  translates?: boolean
  prompt?: string | undefined
  temperature?: number
  /** Part of the output file's name that differs between runs over the same sound. */
  output?: string
  signal: AbortSignal
}

const framesPerSecond = 50
const allFrames = 1500
/** Frames for language detection: eight seconds are as good as thirty, in a quarter of the time. */
const languageFrames = 400
/** Least frames of the encoder: with fewer, words were wrong (512: 1 of 71 words, 768: none). */
const leastFrames = 768
/** Least frames for the shortest clips: in twelve sentences of up to four seconds, clean and with
 *  noise at 10 dB, 384 gave the same words as 768. */
const leastFramesOfShortest = 448
const shortestSeconds = 5
const shortSeconds = 12
const limitMs = 10 * 60_000
const shellCannotRun = 126
const shellNotFound = 127

/** Returns the recognised text. Throws `engine_timeout`, `internal_error` when the program fails,
 *  `capability_unavailable` when it cannot be run, or the signal's reason. */
export async function runWhisper(setup: WhisperSetup, ask: WhisperRequest): Promise<WhisperOutput> {
  const options = await optionsOf(setup.program)
  const base = ask.path.replace(/\.wav$/, `${ask.translates ? '-en' : ''}${ask.output === undefined ? '' : `-${ask.output}`}`)
  const preset = options.has('--dtw') ? await alignmentPreset(setup.weights) : undefined
  const args = [
    ...['--model', setup.weights, '--file', ask.path, '--threads', String(setup.threads), '--language', ask.language],
    ...['--output-json-full', '--output-file', base, '--beam-size', '1', '--best-of', '1', '--audio-ctx', String(framesFor(ask.seconds))],
    ...(preset === undefined ? [] : ['--dtw', preset]),
    ...(ask.translates ? ['--translate'] : []),
    ...(ask.prompt === undefined ? [] : ['--prompt', ask.prompt]),
    ...(ask.temperature && options.has('--temperature') ? ['--temperature', String(ask.temperature)] : []),
    // Alignment needs the whole attention, which the fast one does not keep.
    ...(preset !== undefined && options.has('--no-flash-attn') ? ['--no-flash-attn'] : []),
  ]
  await runProgram(setup, args, { signal: ask.signal })
  const file = `${base}.json`
  const output = parseOutput(await readFile(file))
  await rm(file, { force: true })
  return output
}

/** Returns the language of a window, detected from the sound of its first seconds, in Whisper's
 *  code, and its probability. */
export async function detectLanguage(
  setup: WhisperSetup,
  { path, signal }: Pick<WhisperRequest, 'path' | 'signal'>,
): Promise<{ language: string; probability: number }> {
  const weights = isWindows ? undefined : shortWeights(setup.weights, languageFrames)
  const args = ['--model', isWindows ? setup.weights : '/dev/stdin', '--file', path, '--threads', String(setup.threads)]
  const said = await runProgram(setup, [...args, '--language', 'auto', '--detect-language'], { signal, input: weights })
  const found = /auto-detected language: (\w+) \(p = ([\d.]+)\)/.exec(said)
  if (!found) throw new GatewayError('internal_error', 'The recogniser named no language.')
  return { language: found[1] ?? '', probability: Number(found[2]) }
}

/** Returns the number of frames for the encoder. Fewer are faster, and in a short clip as good; in
 *  a long window whole sentences were lost with them. */
function framesFor(seconds: number): number {
  const least = seconds > shortestSeconds ? leastFrames : leastFramesOfShortest
  const frames = Math.max(least, Math.ceil((seconds * framesPerSecond + 100) / 64) * 64)
  return seconds > shortSeconds || frames >= allFrames ? 0 : frames
}

const isWindows = process.platform === 'win32'
/** Memory limit besides the weights, which the program maps: 0.4 GB for the tiny model, 2.2 GB for
 *  the largest one. */
const memoryBesideWeights = 4 * 2 ** 30
const mostOutputBytes = 64 * 2 ** 20

interface ProgramRun {
  signal: AbortSignal
  /** Data for the program's standard input. */
  input?: AsyncIterable<Buffer> | undefined
}

/** Resolves with the end of the program's output. */
async function runProgram(setup: WhisperSetup, args: readonly string[], { signal, input }: ProgramRun): Promise<string> {
  const { program, weights, threads, priority } = setup
  // Node gives a child a socket, which cannot be opened by a path; `cat` turns it into a pipe.
  const [command, ...given] = input ? ['/bin/sh', '-c', 'cat | "$0" "$@"', program, ...args] : [program, ...args]
  const child = startLimited(command, given, {
    ...{ signal, timeMs: limitMs, priority, env: childEnvironment({}) },
    fileBytes: mostOutputBytes,
    cpuSeconds: (limitMs / 1000) * threads,
    memoryBytes: (await stat(weights)).size + memoryBesideWeights,
  })
  // A program that ends before it has read everything reports the reason itself.
  if (input) pipeline(input, child.stdin).catch(() => {})
  else child.stdin.end()
  child.stdout.resume()
  const unusable = (cause: unknown) => new GatewayError('capability_unavailable', `${program} cannot be run.`, { cause })
  const { kind, how, code, said } = await child.ended.catch((error: unknown) => {
    throw signal.aborted ? error : unusable(error)
  })
  if (kind === 'done') return said
  if (kind === 'time' || kind === 'cpu')
    throw new GatewayError('engine_timeout', `The recogniser did not finish a window within ${limitMs / 60_000} minutes.`)
  const cause = new Error(`whisper.cpp ended with ${how}: ${said}`)
  if (code === shellCannotRun || code === shellNotFound) throw unusable(cause)
  throw new GatewayError('internal_error', 'The recogniser failed on this recording.', { cause })
}
