/** The primary process of a machine: starts the processes that serve requests, and restarts those
 *  that end. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Logger } from 'pino'
import { printRefused } from '../cli/terminal.ts'
import type { FirstStart } from '../config/first-start.ts'
import type { Config } from '../config/settings.ts'
import { ConnectionTurns } from './connection-turns.ts'
import { type MemberMessage, memberVariable, type PrimaryMessage } from './messages.ts'
import { MetricBoard, type MetricSource } from './metric-board.ts'
import { restartDelayMs, startedWellMs } from './restart-delay.ts'

/** Time in ms after which a member that is stopping is killed; a stop takes at most 30 s. */
const stopWithinMs = 36_000
const longestNodeName = 64

interface Started {
  url: string
  firstStart: FirstStart
}

/** One of the processes that serve requests, across restarts: a restarted process keeps its
 *  `Member` and gets a new `run`. */
interface Member {
  readonly number: number
  readonly name: string
  readonly started: PromiseWithResolvers<Started>
  hasListened: boolean
  /** Number of times in a row that the process ended soon after its start; the delay before the
   *  next restart grows with it. */
  failures: number
  run: Run
  restart?: NodeJS.Timeout
}

/** One life of a member process, from its start to its exit. */
interface Run {
  worker: Worker
  startedAt: number
  isListening: boolean
  /** The reason that the process reported when it could not start. */
  reason?: string
  /** Resolves when the process has ended and all its messages have been received. */
  ended: Promise<void>
}

/** Owns the processes that serve requests, and the port on which they listen. When this process
 *  ends, the port is closed. */
export class Primary {
  readonly #config: Config
  readonly #log: Logger
  readonly #members: Member[] = []
  readonly #board = new MetricBoard()
  readonly #turns = new ConnectionTurns()
  /** Number of the latest reload of the configuration file, and the reasons for which members have
   *  refused the file. */
  #latestReload = { round: 0, refusals: new Set<string>() }
  #isStopping = false

  /** Throws `invalid_request` when the node name is so long that the names of the processes would
   *  be too long. */
  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
    const { nodeName, processes } = config
    const most = longestNodeName - `-${processes}`.length
    if (nodeName.length > most) {
      const sentence = `GATEWAY_NODE_NAME has ${nodeName.length} characters; with GATEWAY_PROCESSES=${processes} it may have ${most}, because each process adds its number.`
      throw new GatewayError('invalid_request', sentence, { field: 'GATEWAY_NODE_NAME' })
    }
    cluster.schedulingPolicy = cluster.SCHED_RR
  }

  /** Starts the first process and, once that one listens, the others. The others need the database
   *  that the first one migrates and the access key that it creates. `onFirst` gets the results of
   *  the first start. Resolves when all processes listen. Throws the reason when one cannot
   *  start. */
  async start(onFirst: (first: FirstStart) => void): Promise<Started> {
    const first = await this.#begin(1)
    onFirst(first.firstStart)
    const others = Array.from({ length: this.#config.processes - 1 }, (_, index) => index + 2)
    await Promise.all(others.map(number => this.#begin(number)))
    return first
  }

  /** Makes all processes read the configuration file again, except the process `except`, which has
   *  just read it. */
  reload(except?: Member): void {
    const round = this.#latestReload.round + 1
    this.#latestReload = { round, refusals: new Set() }
    for (const member of this.#members) if (member !== except) send(member, { kind: 'reload', round })
  }

  /** Stops all processes in an orderly way, and kills those that still run after 36 s. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const member of this.#members) {
      clearTimeout(member.restart)
      send(member, { kind: 'stop' })
    }
    const all = Promise.all(this.#members.map(({ run }) => run.ended)).then(() => true)
    if (await Promise.race([all, sleep(stopWithinMs, false, { ref: false })])) return
    const left = this.#members.filter(({ run }) => !run.worker.isDead())
    this.#log.error({ processes: left.map(({ name }) => name) }, 'processes did not stop in time and are killed')
    process.exitCode = 1
    this.kill()
    await all
  }

  /** Kills all processes at once. */
  kill(): void {
    for (const { run } of this.#members) if (!run.worker.isDead()) run.worker.process.kill('SIGKILL')
  }

  #begin(number: number): Promise<Started> {
    const name = `${this.#config.nodeName}-${number}`
    const started = Promise.withResolvers<Started>()
    if (this.#isStopping) return started.promise
    const member: Member = { number, name, started, hasListened: false, failures: 0, run: this.#fork(number, name) }
    this.#members.push(member)
    this.#watch(member)
    return started.promise
  }

  #fork(number: number, name: string): Run {
    const worker = cluster.fork({
      GATEWAY_NODE_NAME: name,
      GATEWAY_PROCESSES: String(this.#config.processes),
      [memberVariable]: String(number),
    })
    this.#turns.watch(worker)
    const { promise: exited, resolve } = Promise.withResolvers<void>()
    worker.once('exit', () => resolve())
    worker.on('error', error => {
      this.#log.error({ err: error, process: name }, 'a process cannot be reached')
      // The process has no id: the operating system could not start it, so no event will follow.
      if (worker.process.pid === undefined) resolve()
    })
    return { worker, startedAt: performance.now(), isListening: false, ended: exited.then(() => lastMessages(worker)) }
  }

  #watch(member: Member): void {
    const { run } = member
    run.worker.on('message', (message: MemberMessage) => this.#hear(member, message))
    void run.ended.then(() => this.#onEnd(member))
  }

  #hear(member: Member, message: MemberMessage): void {
    switch (message.kind) {
      case 'listening':
        member.hasListened = true
        member.run.isListening = true
        member.started.resolve(message)
        // A process that is still loading its modules may have missed the first message to stop, so
        // the message is sent again.
        if (this.#isStopping) send(member, { kind: 'stop' })
        return
      case 'failed':
        member.run.reason = message.reason
        return
      case 'reloaded':
        this.reload(member)
        return
      case 'refused':
        this.#onRefused(message)
        return
      case 'metrics':
        this.#board.answer(message.id, message.metrics)
        return
      case 'sum':
        void this.#sum(member, message)
    }
  }

  /** Prints the reason why a member has refused the configuration file. Members with the same
   *  file refuse it for the same reason, which is printed only once per reload. */
  #onRefused({ round, reason }: Extract<MemberMessage, { kind: 'refused' }>): void {
    const { refusals, round: latest } = this.#latestReload
    if (round !== latest || refusals.has(reason)) return
    refusals.add(reason)
    printRefused(reason)
  }

  async #sum(member: Member, { id, own }: Extract<MemberMessage, { kind: 'sum' }>): Promise<void> {
    const others = this.#members.filter(other => other !== member)
    const sources = others.map(
      (other): MetricSource => ({ name: other.name, ask: each => other.run.isListening && send(other, { kind: 'metrics', id: each }) }),
    )
    const text = await this.#board.sum(member.name, own, sources)
    send(member, { kind: 'sum', id, text })
  }

  #onEnd(member: Member): void {
    const { run, name, hasListened, started } = member
    const { exitCode: code, signalCode: signal } = run.worker.process
    this.#board.end(name)
    if (!hasListened) started.reject(startError(name, run))
    if (this.#isStopping || !hasListened) return
    member.failures = performance.now() - run.startedAt < startedWellMs ? member.failures + 1 : 0
    const restartInMs = restartDelayMs(member.failures)
    const reason = run.reason === undefined ? {} : { reason: run.reason }
    this.#log.error({ process: name, code, signal, ...reason, restartInMs }, 'a process has ended and is started again')
    member.restart = setTimeout(() => {
      member.run = this.#fork(member.number, name)
      this.#watch(member)
    }, restartInMs)
  }
}

function startError(name: string, { worker, reason }: Run): GatewayError {
  const { exitCode, signalCode } = worker.process
  return new GatewayError('internal_error', reason ?? `Process ${name} ended at its start (${signalCode ?? `code ${exitCode}`}).`)
}

/** Resolves when all messages of a process that has ended have been received, or after half a
 *  second. While a connection is being passed to the process, Node.js reports no end of the
 *  channel, so this function polls the state of the channel. */
async function lastMessages(worker: Worker): Promise<void> {
  for (let tries = 0; tries < 50 && worker.isConnected(); tries++) await sleep(10)
}

/** Sends a message to a process; false when the process cannot be reached. */
function send({ run: { worker } }: Member, message: PrimaryMessage): boolean {
  if (!worker.isConnected()) return false
  worker.send(message, () => {})
  return true
}
