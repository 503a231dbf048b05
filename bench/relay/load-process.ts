/** Starts the process of the load generator and sends it commands. */
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endProcess, spawnPinned } from './spawn.ts'

interface Target {
  port: number
  path: string
  headers: Record<string, string>
  body: string
}

export interface LoopJob extends Target {
  connections: number
  /** The run ends after `count` requests or after `seconds`, whichever comes first. */
  count: number
  seconds: number
}

export interface LoopResult {
  answers: number
  /** Number of answers whose status is not 2xx. `firstFailure` is the first of these answers. */
  failures: number
  firstFailure: string
  /** Number of requests whose connection broke before they were answered. */
  cut: number
  seconds: number
  /** Median of the times in ms from a request to its answer; `p99` is the 99th percentile. */
  p50: number
  p99: number
  /** Arrival times of the last byte of each answer, in ms since 1970. Contains at most the latest
   *  20,000 answers. */
  lastAnswersAt: number[]
}

export interface StreamsJob extends Target {
  streams: number
  /** True to read each stream slowly, at about a megabyte a second. */
  isSlow: boolean
}

export interface StreamCounts {
  /** Time of these counts, in ms since 1970. */
  at: number
  /** Number of streams that are open now. */
  streams: number
  /** Numbers of events, bytes and failures on all streams since they were opened. */
  events: number
  bytes: number
  failures: number
  firstFailure: string
  /** Median of the time in ms from the moment at which the upstream wrote a piece to the moment
   *  at which the load generator read it. Measured since the previous counts, for one piece in
   *  sixteen. `delayP99` is the 99th percentile. */
  delayP50: number
  delayP99: number
}

export type Command = { kind: 'loop'; job: LoopJob } | { kind: 'open'; job: StreamsJob } | { kind: 'count' } | { kind: 'drop' }

/** The process of the load generator. It runs on the same core as the upstream, and carries out
 *  one command at a time. */
export class Load {
  readonly #child: ChildProcess

  constructor() {
    const module = fileURLToPath(new URL('./load.ts', import.meta.url))
    this.#child = spawnPinned([process.execPath, module], { core: 1, hasMessages: true })
  }

  loop(job: LoopJob): Promise<LoopResult> {
    return this.#ask<LoopResult>({ kind: 'loop', job })
  }

  open(job: StreamsJob): Promise<StreamCounts> {
    return this.#ask<StreamCounts>({ kind: 'open', job })
  }

  count(): Promise<StreamCounts> {
    return this.#ask<StreamCounts>({ kind: 'count' })
  }

  /** Closes all streams at once. */
  drop(): Promise<StreamCounts> {
    return this.#ask<StreamCounts>({ kind: 'drop' })
  }

  end(): Promise<void> {
    return endProcess(this.#child)
  }

  #ask<Result>(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('the load ended'))
      this.#child.once('exit', onExit)
      this.#child.once('message', (answer: { value: Result } | { error: string }) => {
        this.#child.off('exit', onExit)
        if ('error' in answer) reject(new Error(answer.error))
        else resolve(answer.value)
      })
      this.#child.send(command)
    })
  }
}
