/** Measures a scenario on several servers in rounds. In each round every server has its turn, in
 *  the reverse order of the round before. The medians are reported together with the smallest
 *  and largest value. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '../measure.ts'
import type { Load } from './load-process.ts'
import { bodyFor, type RelayServer } from './servers.ts'
import { hasProgram } from './spawn.ts'
import { type Upstream, untilQuiet } from './upstreams.ts'

export interface JsonRound {
  /** CPU time in microseconds, of all processes of the server, per request that reached the
   *  upstream. */
  cpuMicros: number
  /** Number of answers per second. `coreShare` is the share of a CPU core that the server used
   *  meanwhile, 0 to 1. */
  perSecond: number
  coreShare: number
  residentMb: number
  /** Number of connections that the server has opened to the upstream. */
  opened: number
}

export interface Spread {
  median: number
  min: number
  max: number
}

export interface JsonLoad {
  load: Load
  upstream: Upstream
  folder: string
  connections: number
  seconds: number
}

/** Measures one round: the server relays a small chat request, again and again, over kept
 *  connections. Throws when an answer had a status other than 2xx, because the figures are then
 *  not comparable. */
export async function jsonRound(server: RelayServer, job: JsonLoad): Promise<JsonRound> {
  const before = { ...server.cost(), ...(await untilQuiet(job.upstream)) }
  const timed = { ...job, seconds: server.isSlow ? 3 * job.seconds : job.seconds }
  const answered = hasProgram('wrk') ? await withWrk(server, timed) : await withNode(server, timed)
  const after = { ...(await untilQuiet(job.upstream)), ...server.cost() }
  if (answered.failures > 0)
    throw new Error(
      `${server.name}: ${answered.failures} of ${answered.answers} answers failed, the round is void: ${answered.firstFailure}`,
    )
  // A server that relays nothing sends no requests to the upstream, so its answers are counted
  // instead.
  const requests = after.requests > before.requests ? after.requests - before.requests : answered.answers
  return {
    cpuMicros: ((after.cpu - before.cpu) * 1e6) / requests,
    perSecond: answered.answers / answered.seconds,
    coreShare: (after.cpu - before.cpu) / answered.seconds,
    residentMb: after.resident / 2 ** 20,
    opened: after.opened - before.opened,
  }
}

/** Runs a round of two seconds whose result is discarded, then a measured one. A server with a
 *  JIT compiler becomes slower while other servers have their turn
 *  (docs/measured.md#method-of-the-bench). */
export async function warmRound(server: RelayServer, job: JsonLoad): Promise<JsonRound> {
  await jsonRound(server, { ...job, seconds: 2 })
  return jsonRound(server, job)
}

/** Warms a server up. First sends three single requests, because a server may load modules at
 *  its first request. Then runs a round that is discarded, and is long enough for a JIT
 *  compiler. Throws for an error answer. */
export async function warm(server: RelayServer, job: JsonLoad): Promise<void> {
  const { path, headers } = server.json
  for (let answer = 0; answer < 3; answer++) {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers, body: bodyFor(server.json) })
    if (!response.ok) throw new Error(`${server.name} answered with ${response.status}: ${(await response.text()).slice(0, 300)}`)
    await response.arrayBuffer()
  }
  await jsonRound(server, { ...job, seconds: job.seconds < 2 ? 2 : 8 })
}

/** Runs `rounds` rounds, in each of which every server has its turn. Returns the results of all
 *  rounds, by server name. */
export async function alternate<Result>(
  servers: readonly RelayServer[],
  rounds: number,
  run: (server: RelayServer) => Promise<Result>,
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>(servers.map(server => [server.name, []]))
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? servers : [...servers].reverse()
    for (const server of order) results.get(server.name)?.push(await run(server))
  }
  return results
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

export function loadTool(): string {
  return hasProgram('wrk') ? 'wrk' : 'own load tool (wrk is not installed: apt-get install wrk)'
}

interface Answered {
  answers: number
  failures: number
  firstFailure: string
  seconds: number
}

function withNode(server: RelayServer, { load, connections, seconds }: JsonLoad): Promise<Answered> {
  const { path, headers } = server.json
  return load.loop({ port: server.port, path, headers, body: bodyFor(server.json), connections, seconds, count: Number.MAX_SAFE_INTEGER })
}

async function withWrk(server: RelayServer, { folder, connections, seconds }: JsonLoad): Promise<Answered> {
  const { path, headers } = server.json
  const script = join(folder, 'wrk.lua')
  writeFileSync(script, wrkScript(headers, bodyFor(server.json)))
  const { stdout } = await promisify(execFile)('taskset', [
    ...['-c', '1', 'wrk', '-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s', '-s', script],
    `http://127.0.0.1:${server.port}${path}`,
  ])
  const [answers = 0, micros = 0, failures = 0] = /^bench (\d+) (\d+) (\d+)$/m.exec(stdout)?.slice(1).map(Number) ?? []
  if (answers === 0) throw new Error(`${server.name}: wrk got no answer: ${stdout.slice(0, 500)}`)
  return { answers, failures, firstFailure: failures > 0 ? stdout.slice(0, 500) : '', seconds: micros / 1e6 }
}

function wrkScript(headers: Record<string, string>, body: string): string {
  return `wrk.method = 'POST'
wrk.body = [==[${body}]==]
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers['${name}'] = '${value}'`)
  .join('\n')}
done = function(summary)
  local e = summary.errors
  io.write(string.format('\\nbench %d %d %d\\n', summary.requests, summary.duration, e.connect + e.read + e.write + e.status + e.timeout))
end
`
}
