import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { outputOf, startLimited } from '@generation-gateway/kit/process/limited-process.ts'
import type { PipelineStep } from './mode.ts'

interface PipelineRun {
  /** Folders in which shared libraries are searched first. */
  libraries: readonly string[]
  priority: EnginePriority | undefined
  timeMs: number
  signal: AbortSignal
}

/** Runs the programs as a pipeline and returns the output of the last one for `input`. Each
 *  program may use 1 GiB of address space; output is limited to a hundred times the length of
 *  the input and 64 KiB more. Throws `engine_timeout`, the signal's reason, or `PipelineError`. */
export async function runPipeline(steps: readonly PipelineStep[], input: string, run: PipelineRun): Promise<string> {
  const { timeMs, signal, priority, libraries } = run
  const mostBytes = 100 * Buffer.byteLength(input) + 65_536
  const child = startLimited('/bin/sh', ['-c', scriptOf(steps)], {
    ...{ timeMs, signal, priority, fileBytes: 0, memoryBytes: 2 ** 30, cpuSeconds: timeMs / 1000 },
    env: {
      PATH: process.env.PATH ?? '',
      LC_ALL: 'C.UTF-8',
      ...(libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {}),
    },
  })
  const { end, output } = await outputOf(child, input, mostBytes)
  const { kind, said } = end
  if (kind === 'time' || kind === 'cpu')
    throw new GatewayError('engine_timeout', `The translation did not finish within ${timeMs / 1000} seconds.`)
  if (kind !== 'done') throw new PipelineError(said)
  return output.toString('utf8')
}

/** Error of a program in the pipeline. */
export class PipelineError extends Error {
  /** Name of a shared library that this machine lacks. */
  readonly missingLibrary: string | undefined

  constructor(said: string) {
    super(`A program of the translation failed: ${said.trim().split('\n').at(-1) ?? ''}`)
    this.missingLibrary = /error while loading shared libraries: ([^:\s]+)/.exec(said)?.[1]
  }
}

/** Returns the shell command that joins the programs, with all words quoted. */
function scriptOf(steps: readonly PipelineStep[]): string {
  const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
  return steps.map(({ program, args }) => [program, ...args].map(quoted).join(' ')).join(' | ')
}
