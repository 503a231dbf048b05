import { connect, type Socket } from 'node:net'
import { preciseNow } from './answers.ts'
import { takeMessage } from './http1.ts'
import type { LoopJob, LoopResult } from './load-process.ts'

/** Number of answers whose times are kept; older ones are forgotten. */
const keptTimes = 20_000

/** Sends requests over kept connections. On each connection, the next request is sent when the
 *  previous answer is complete. A connection that breaks is not replaced, and its request is
 *  counted as `cut`. Ends after `count` requests or `seconds`, whichever comes first. */
export async function runLoop(job: LoopJob): Promise<LoopResult> {
  const state = { job, sent: 0, answers: 0, failures: 0, cut: 0, firstFailure: '', times: [] as number[], latencies: [] as number[] }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: job.connections }, () => keepAsking(state, startedAt + job.seconds * 1000)))
  const seconds = (performance.now() - startedAt) / 1000
  state.latencies.sort((a, b) => a - b)
  const at = (share: number) => state.latencies[Math.floor(state.latencies.length * share)] ?? 0
  const { answers, failures, cut, firstFailure, times } = state
  return { answers, failures, cut, firstFailure, seconds, p50: at(0.5), p99: at(0.99), lastAnswersAt: times.slice(-keptTimes) }
}

interface LoopState {
  job: LoopJob
  sent: number
  answers: number
  failures: number
  cut: number
  firstFailure: string
  times: number[]
  latencies: number[]
}

async function keepAsking(state: LoopState, endsAt: number): Promise<void> {
  while (mayAsk(state, endsAt)) {
    const isBroken = await askOver(connect({ host: '127.0.0.1', port: state.job.port, noDelay: true }), state, endsAt)
    if (isBroken) return
  }
}

function mayAsk(state: LoopState, endsAt: number): boolean {
  return state.sent < state.job.count && performance.now() < endsAt
}

/** Sends requests over one connection until no request is left, or until the server has announced
 *  that it closes the connection. Returns true when the connection failed: it could not be opened,
 *  or it broke before an answer had arrived. */
function askOver(socket: Socket, state: LoopState, endsAt: number): Promise<boolean> {
  const request = requestText(state.job)
  let pending: Buffer = Buffer.alloc(0)
  let sentAt = 0
  let isWaiting = false
  const ask = () => {
    if (!mayAsk(state, endsAt)) return void socket.destroy()
    state.sent += 1
    isWaiting = true
    sentAt = performance.now()
    socket.write(request)
  }
  socket.on('connect', ask)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const message = takeMessage(pending)
    if (!message) return
    pending = message.rest
    isWaiting = false
    note(state, message, sentAt)
    if (/\r\nconnection: *close/i.test(message.head)) socket.destroy()
    else ask()
  })
  return new Promise(resolve => {
    socket.on('close', () => {
      if (isWaiting) state.cut += 1
      resolve(isWaiting || sentAt === 0)
    })
  })
}

function note(state: LoopState, { head, body }: { head: string; body: Buffer }, sentAt: number): void {
  state.answers += 1
  state.latencies.push(performance.now() - sentAt)
  state.times.push(preciseNow())
  if (state.times.length > 2 * keptTimes) state.times = state.times.slice(-keptTimes)
  if (/^HTTP\/1\.1 2/.test(head)) return
  state.failures += 1
  state.firstFailure ||= `${head.split('\r\n')[0]} ${body.toString('utf8', 0, 300)}`
}

export function requestText({ port, path, headers, body }: Pick<LoopJob, 'port' | 'path' | 'headers' | 'body'>): Buffer {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': String(Buffer.byteLength(body)) })
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}
