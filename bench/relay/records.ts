/** Checks that every answered request has its usage record, after a load and after a kill during
 *  a load. Also counts the fsyncs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '../process.ts'
import { chatBody, preciseNow } from './answers.ts'
import type { Load, LoopResult } from './load-process.ts'
import { adminKey, ourGateway, type RelayServer, type StartOptions } from './servers.ts'
import { hasProgram } from './spawn.ts'

export interface RecordsRun {
  load: Load
  start: StartOptions
}

const connections = 64
/** Longest time in ms between the creation of a record and its commit. When the gateway is killed,
 *  records that were created less than this time before may be lost. */
const commitMs = 20

/** Starts a gateway, sends it `count` requests over 64 connections, and returns the numbers of
 *  answers and records, and the seconds that it took. */
export async function recordedAnswers(run: RecordsRun, count: number): Promise<{ answers: number; records: number; seconds: number }> {
  const server = await ourGateway({ dataName: 'records' }).start(run.start)
  try {
    const before = await recordsOf(server)
    const { answers, seconds } = await loop(server, run.load, { count, seconds: 300 })
    // After this wait, the last commit has been made and its records are counted.
    await sleep(500)
    return { answers, records: (await recordsOf(server)) - before, seconds }
  } finally {
    await server.stop()
  }
}

export interface KilledRun {
  answers: number
  records: number
  /** Number of answers in the last 20 ms before the kill. `inFlight` is the number of requests that
   *  had no answer yet at the kill. The records of these answers and requests may be lost. */
  lastAnswers: number
  inFlight: number
  /** Age in ms, at the time of the kill, of the oldest answer whose record was lost. Assumes that
   *  the lost records are those of the latest answers. */
  lostMs: number
}

/** Kills the gateway with SIGKILL after `seconds` of load, starts it again on the same data, and
 *  counts the records. */
export async function killedInLoad(run: RecordsRun, seconds: number): Promise<KilledRun> {
  const kind = ourGateway({ dataName: 'killed' })
  const first = await kind.start(run.start)
  const before = await recordsOf(first)
  const loading = loop(first, run.load, { count: Number.MAX_SAFE_INTEGER, seconds: seconds + 30 })
  await sleep(seconds * 1_000)
  const killedAt = preciseNow()
  await first.stop('SIGKILL')
  const { answers, cut, lastAnswersAt } = await loading
  const second = await kind.start(run.start)
  try {
    const records = (await recordsOf(second)) - before
    const lastAnswers = lastAnswersAt.filter(at => at > killedAt - commitMs).length
    const oldestLost = lastAnswersAt[lastAnswersAt.length - Math.max(0, answers - records)] ?? killedAt
    return { answers, records, lastAnswers, inFlight: cut, lostMs: Math.max(0, killedAt - oldestLost) }
  } finally {
    await second.stop()
  }
}

/** Returns how many calls of fsync and fdatasync there are per request under load. When they cannot
 *  be counted, returns the reason as `missing`. */
export async function syncsPerRequest(run: RecordsRun, count: number): Promise<{ perRequest: number } | { missing: string }> {
  if (!hasProgram('strace')) return { missing: 'strace is not installed: apt-get install strace' }
  const output = join(run.start.folder, 'strace.txt')
  const wrap = ['strace', '-f', '--seccomp-bpf', '-c', '-e', 'trace=fsync,fdatasync', '-o', output]
  const server = await ourGateway({ dataName: 'traced', wrap })
    .start(run.start)
    .catch((error: Error) => error)
  if (server instanceof Error) return { missing: `the gateway does not start under strace: ${server.message}` }
  const { answers } = await loop(server, run.load, { count, seconds: 120 })
  // The tracer (strace) does not forward signals, so SIGTERM is sent to the traced program. The
  // tracer writes its table when that program has ended.
  for (const pid of childrenOf(server.pid)) process.kill(pid, 'SIGTERM')
  for (let tries = 0; tries < 350 && isRunning(server.pid); tries++) await sleep(100)
  await server.stop()
  const calls = [...readFileSync(output, 'utf8').matchAll(/^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(?:fsync|fdatasync)$/gm)]
  return { perRequest: calls.reduce((sum, [, number]) => sum + Number(number), 0) / answers }
}

/** Returns true while a process is running. A zombie (a process that has ended and whose parent
 *  has not noticed yet) counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function loop(server: RelayServer, load: Load, limits: { count: number; seconds: number }): Promise<LoopResult> {
  const { path, headers, model } = server.json
  const result = await load.loop({ port: server.port, path, headers, body: chatBody(model), connections, ...limits })
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.answers} answers failed: ${result.firstFailure}`)
  return result
}

interface UsageRow {
  unit: string
  units: number
  model: string
}

async function recordsOf(server: RelayServer): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${server.port}/admin/usage`, { headers: { authorization: `Bearer ${adminKey}` } })
  if (!response.ok) throw new Error(`GET /admin/usage was answered with ${response.status}`)
  const { usage } = (await response.json()) as { usage: UsageRow[] }
  return usage.filter(row => row.unit === 'requests' && row.model === 'bench').reduce((sum, row) => sum + row.units, 0)
}
