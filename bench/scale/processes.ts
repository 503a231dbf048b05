/** Compares a gateway of two processes with a gateway of one: the cost of a request, how evenly
 *  connections are spread over the processes, and how soon a killed process is replaced. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../src/stores/postgres/testing/server.ts'
import { accessKey, jsonHeaders, median, post, runLoad } from '../measure.ts'
import { childrenOf, type Server, startServer, treeCpuSeconds } from '../process.ts'
import type { Figure } from '../scenarios.ts'
import type { ScaleOptions } from './bench.ts'

const connections = 64
const adminKey = 'admin-bench-key'
const kinds = ['polls of a waiting task', 'readyz'] as const

interface Machine {
  server: Server
  /** The path of each kind of request. */
  paths: Record<(typeof kinds)[number], string>
}

interface Load {
  requestsPerCpuSecond: number
  requestsPerSecond: number
  /** The largest share of the open connections that one process holds, 0 to 1. */
  share: number
}

/** Starts a gateway of one process and one of two, each with its own database on one PostgreSQL
 *  server. Measures them in turn, in rounds of `seconds`. */
export async function severalProcesses({
  version,
  rounds,
  seconds,
}: Pick<ScaleOptions, 'version' | 'rounds' | 'seconds'>): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-processes-'))
  const postgres = await startPostgres({ version })
  const machines: Machine[] = []
  try {
    for (const processes of [1, 2])
      machines.push(await startMachine(processes, { databaseUrl: await postgres.database(), dataDir: join(folder, String(processes)) }))
    const [one, two] = machines
    if (!one || !two) throw new TypeError('two gateways were started')
    const figures: Figure[] = []
    for (const kind of kinds) figures.push(...(await compare(kind, one, two, { rounds, seconds })))
    figures.push(await returnOfKilled(two, rounds))
    return figures
  } finally {
    for (const { server } of machines) await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(kind: (typeof kinds)[number], one: Machine, two: Machine, { rounds, seconds }: { rounds: number; seconds: number }) {
  const seen: Record<'one' | 'two', Load[]> = { one: [], two: [] }
  const run = async (name: 'one' | 'two'): Promise<Load> => loadOf(name === 'one' ? one : two, kind, seconds)
  await run('one')
  await run('two')
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const)) seen[name].push(await run(name))
  const ratios = seen.two.map((load, index) => load.requestsPerCpuSecond / (seen.one[index]?.requestsPerCpuSecond ?? Number.NaN))
  const perCpu = (name: 'one' | 'two') => Math.round(median(seen[name].map(load => load.requestsPerCpuSecond)))
  const rate = (name: 'one' | 'two') => Math.round(median(seen[name].map(load => load.requestsPerSecond)))
  return [
    {
      name: `two processes: requests per CPU-second, times one (${kind})`,
      value: median(ratios),
      unit: 'x',
      goal: { bound: 'at least', value: 0.75 },
      note: `${perCpu('two')} against ${perCpu('one')} per CPU-second, ${rate('two')} against ${rate('one')}/s; rounds ${ratios.map(ratio => ratio.toFixed(2)).join(', ')}`,
    },
    {
      name: `two processes: largest share of ${connections} kept connections (${kind})`,
      value: Math.max(...seen.two.map(load => load.share)) * 100,
      unit: '%',
      goal: { bound: 'at most', value: 60 },
    },
  ] satisfies Figure[]
}

async function startMachine(processes: number, { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }): Promise<Machine> {
  const server = await startServer('src/cli/gateway.ts', {
    args: ['serve'],
    port: 18_140 + processes,
    env: {
      GATEWAY_DATA_DIR: dataDir,
      GATEWAY_DATABASE_URL: databaseUrl,
      GATEWAY_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      GATEWAY_ADMIN_KEY: adminKey,
      GATEWAY_ACCESS_KEY: accessKey,
      GATEWAY_PROCESSES: String(processes),
      GATEWAY_LOG_LEVEL: 'info',
      GATEWAY_MIN_FREE_MB: '1',
      GATEWAY_ENGINE_PRELOAD: '0',
      GATEWAY_ENGINE_WORKERS: '0',
    },
  })
  await allUp(server, processes)
  const { id } = await post(server.url, { prompt: 'a red fox', width: 1024, height: 1024 })
  return { server, paths: { 'polls of a waiting task': `/v1/ai/default/imgf/get_result?id=${id}`, readyz: '/readyz' } }
}

/** Waits until the metrics contain those of all processes, which shows that all are running. */
async function allUp({ url }: Server, processes: number): Promise<void> {
  if (processes === 1) return
  for (let tries = 0; tries < 1_200; tries++) {
    const figures = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${adminKey}` } })).text()
    if ([...figures.matchAll(/^gateway_process_up\{.*\} 1$/gm)].length === processes) return
    await sleep(25)
  }
  throw new Error(`${processes} processes were not up within half a minute`)
}

async function loadOf({ server, paths }: Machine, kind: keyof Machine['paths'], seconds: number): Promise<Load> {
  const before = treeCpuSeconds(server.pid)
  const loading = runLoad({ origin: server.url, connections, seconds, method: 'GET', paths: [paths[kind]], headers: jsonHeaders })
  await sleep((seconds * 1000) / 2)
  const share = largestShare(server)
  const result = await loading
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed: the round is void`)
  const requestsPerCpuSecond = result.requests / (treeCpuSeconds(server.pid) - before)
  return { requestsPerCpuSecond, requestsPerSecond: result.requests / result.seconds, share }
}

/** Returns the largest share of the open connections to the server's port that one process holds, 0
 *  to 1. */
function largestShare({ pid, url }: Server): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  const established = rows
    .map(row => row.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${port}`) && state === '01')
  const inodes = new Set(established.map(fields => `socket:[${fields[9]}]`))
  const counts = [pid, ...childrenOf(pid)].map(each => socketsOf(each).filter(socket => inodes.has(socket)).length)
  return Math.max(...counts) / counts.reduce((sum, count) => sum + count, 0)
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).map(name => {
    try {
      return readlinkSync(join(folder, name))
    } catch {
      return ''
    }
  })
}

async function returnOfKilled({ server }: Machine, rounds: number): Promise<Figure> {
  const waits: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [member] = childrenOf(server.pid)
    if (member === undefined) throw new Error('the gateway has no processes')
    process.kill(member, 'SIGKILL')
    const killedAt = performance.now()
    while (childrenOf(server.pid).includes(member)) await sleep(5)
    await allUp(server, 2)
    waits.push((performance.now() - killedAt) / 1000)
  }
  return {
    name: 'a killed process answers again',
    value: median(waits),
    unit: 's',
    goal: { bound: 'at most', value: 5 },
    note: `kills ${waits.map(wait => wait.toFixed(1)).join(', ')}; a start takes 0.85 s of CPU`,
  }
}
