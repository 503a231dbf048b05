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
  /** Limits of the run: the number of requests, and seconds. */
  count: number
  seconds: number
}

export interface LoopResult {
  answers: number
  /** Number of answers with a status other than 2xx, and the first of them. */
  failures: number
  firstFailure: string
  /** Requests whose connection broke before their answer. */
  cut: number
  seconds: number
  /** Times of the answers in milliseconds. */
  p50: number
  p99: number
  /** Times at which the last byte of an answer arrived, for at most the last 20,000 answers, in
   *  milliseconds since 1970. */
  lastAnswersAt: number[]
}

export interface StreamsJob extends Target {
  streams: number
  /** True to read each stream at about a megabyte a second. */
  isSlow: boolean
}

export interface StreamCounts {
  /** Time of the count in milliseconds since 1970. */
  at: number
  /** Number of streams that are open now. */
  streams: number
  /** Numbers of events, bytes and failures since the streams were opened. */
  events: number
  bytes: number
  failures: number
  firstFailure: string
  /** Milliseconds from the upstream's write to the load generator's read, since the last count;
   *  sampled from one piece in sixteen. */
  delayP50: number
  delayP99: number
}

export type Command = { kind: 'loop'; job: LoopJob } | { kind: 'open'; job: StreamsJob } | { kind: 'count' } | { kind: 'drop' }

/** The process of the load generator, pinned to the same core as the upstream. It runs one command
 *  at a time. */
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
