import { spawn } from 'node:child_process'
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { givePriority } from '@generation-gateway/kit/process/child-process.ts'
import type { Step } from './mode.ts'

export interface PipelineRun {
  /** Folders of shared libraries that are looked in first. */
  libraries: readonly string[]
  priority: EnginePriority | undefined
  timeMs: number
  signal: AbortSignal
}

/** What the last program writes when the first reads `input`. They may use 1 GiB of address space each, and no output is longer than a hundred times the input.
 *  Throws `engine_timeout`, the signal's reason, `PipelineFailed`. */
export async function runPipeline(steps: readonly Step[], input: string, run: PipelineRun): Promise<string> {
  run.signal.throwIfAborted()
  const mostBytes = 100 * Buffer.byteLength(input) + 65_536
  const child = spawn('/bin/sh', ['-c', scriptOf(steps)], {
    env: {
      PATH: process.env.PATH ?? '',
      LC_ALL: 'C.UTF-8',
      ...(run.libraries.length > 0 ? { LD_LIBRARY_PATH: run.libraries.join(':') } : {}),
    },
    // A group, so that all of it can be ended.
    detached: true,
  })
  givePriority(child.pid, run.priority)
  const chunks: Buffer[] = []
  let bytes = 0
  let said = ''
  let isOverTime = false
  const kill = (): void => endGroup(child.pid)
  const timer = setTimeout(() => {
    isOverTime = true
    kill()
  }, run.timeMs)
  run.signal.addEventListener('abort', kill, { once: true })
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostBytes) kill()
    else chunks.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  // One that has ended is told of by `close`.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    run.signal.throwIfAborted()
    if (isOverTime) throw new GatewayError('engine_timeout', `The translation did not finish within ${run.timeMs / 1000} seconds.`)
    if (code !== 0) throw new PipelineFailed(said)
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', kill)
  }
}

/** A program ended with an error. */
export class PipelineFailed extends Error {
  /** Name of a shared library that this machine lacks. */
  readonly missingLibrary: string | undefined

  constructor(said: string) {
    super(`A program of the translation failed: ${said.trim().split('\n').at(-1) ?? ''}`)
    this.missingLibrary = /error while loading shared libraries: ([^:\s]+)/.exec(said)?.[1]
  }
}

/** The shell sets the limits and joins the programs; each word of theirs is quoted. */
function scriptOf(steps: readonly Step[]): string {
  const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
  return `ulimit -v 1048576; ulimit -c 0; ${steps.map(({ program, args }) => [program, ...args].map(quoted).join(' ')).join(' | ')}`
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
