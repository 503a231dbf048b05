/** Runs whisper.cpp's program on one window of sound. */
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
  /** True to translate into English. */
  translates?: boolean
  prompt?: string | undefined
  temperature?: number
  /** Suffix of the output file's name, for several runs on the same sound. */
  output?: string
  signal: AbortSignal
}

const framesPerSecond = 50
const allFrames = 1500
/** Encoder frames for language detection: eight seconds are as good as thirty and take a quarter of
 *  the time. */
const languageFrames = 400
/** Fewest encoder frames. With 512 frames, 1 of 71 words in a test was wrong; with 768, none
 *  was. */
const leastFrames = 768
/** Fewest encoder frames for the shortest clips. In twelve sentences of up to four seconds, clean
 *  and with noise at 10 dB, 384 frames gave the same words as 768. The limit is 64 frames higher,
 *  as a reserve. */
const leastFramesOfShortest = 448
const shortestSeconds = 5
const shortSeconds = 12
const limitMs = 10 * 60_000
const shellCannotRun = 126
const shellNotFound = 127

/** Returns the recognised text. Throws `internal_error` when the program fails,
 *  `capability_unavailable` when it cannot be started, `engine_timeout`, or the signal's reason. */
export async function runWhisper(setup: WhisperSetup, ask: WhisperRequest): Promise<WhisperOutput> {
  const options = await optionsOf(setup.program)
  const base = ask.path.replace(/\.wav$/, `${ask.translates ? '-en' : ''}${ask.output === undefined ? '' : `-${ask.output}`}`)
  const preset = options.has('--dtw') ? await alignmentPreset(setup.weights, options) : undefined
  const args = [
    ...['--model', setup.weights, '--file', ask.path, '--threads', String(setup.threads), '--language', ask.language],
    ...['--output-json-full', '--output-file', base, '--beam-size', '1', '--best-of', '1', '--audio-ctx', String(framesFor(ask.seconds))],
    ...(preset === undefined ? [] : ['--dtw', preset]),
    ...(ask.translates ? ['--translate'] : []),
    ...(ask.prompt === undefined ? [] : ['--prompt', ask.prompt]),
    ...(ask.temperature && options.has('--temperature') ? ['--temperature', String(ask.temperature)] : []),
    // The alignment needs the attention matrix, which flash attention does not keep.
    ...(preset !== undefined && options.has('--no-flash-attn') ? ['--no-flash-attn'] : []),
  ]
  await runProgram(setup, args, { signal: ask.signal })
  const file = `${base}.json`
  const output = parseOutput(await readFile(file))
  await rm(file, { force: true })
  return output
}

/** Returns the language (in Whisper's code) detected in the first seconds of a window, and its
 *  probability, 0 to 1. */
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

/** Returns the number of encoder frames for a window; 0 means all frames. In a short clip, fewer
 *  frames are faster and give the same words; in a long window, they lost whole sentences. */
function framesFor(seconds: number): number {
  const least = seconds > shortestSeconds ? leastFrames : leastFramesOfShortest
  const frames = Math.max(least, Math.ceil((seconds * framesPerSecond + 100) / 64) * 64)
  return seconds > shortSeconds || frames >= allFrames ? 0 : frames
}

const isWindows = process.platform === 'win32'
/** Limit of the program's memory, not counting the weights, which it maps: the tiny model needs 0.4
 *  GB, the largest 2.2 GB. */
const memoryBesideWeights = 4 * 2 ** 30
const mostOutputBytes = 64 * 2 ** 20

interface ProgramRun {
  signal: AbortSignal
  /** Data for the program's standard input. */
  input?: AsyncIterable<Buffer> | undefined
}

/** Runs the program; resolves with the end of its output. */
async function runProgram(setup: WhisperSetup, args: readonly string[], { signal, input }: ProgramRun): Promise<string> {
  const { program, weights, threads, priority } = setup
  // Node passes a socket as standard input, which the program cannot open as `/dev/stdin`; `cat`
  // turns it into a pipe.
  const [command, ...given] = input ? ['/bin/sh', '-c', 'cat | "$0" "$@"', program, ...args] : [program, ...args]
  const child = startLimited(command, given, {
    ...{ signal, timeMs: limitMs, priority, env: childEnvironment({}) },
    fileBytes: mostOutputBytes,
    cpuSeconds: (limitMs / 1000) * threads,
    memoryBytes: (await stat(weights)).size + memoryBesideWeights,
  })
  // Errors of the pipe are ignored: when the program ends early, its own exit reports the reason.
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
