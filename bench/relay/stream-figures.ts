/** Figures of open streams: CPU time per event in comparison with nginx, memory per stream,
 *  callers that disconnect, and callers that read slowly. */
import type { Figure } from '../scenarios.ts'
import { spanOf } from './json-figures.ts'
import { alternate, spreadOf } from './rounds.ts'
import { nginx, ourGateway, type RelayServer, type ServerKind, type StartOptions } from './servers.ts'
import { bytesPerStream, droppedCallers, eventCost, type StreamsRun, slowReaders } from './streams.ts'

export interface StreamFiguresRun extends Omit<StreamsRun, 'streams'> {
  start: StartOptions
  isQuick: boolean
}

/** Measures the CPU time per event of this gateway, and of nginx when it is installed. */
export async function eventFigures(run: StreamFiguresRun): Promise<Figure[]> {
  const kinds = [ourGateway(), nginx].filter(kind => kind.missing === undefined)
  const [streams, rate] = [1_000, 20]
  return withServers(kinds, run.start, async servers => {
    const seconds = run.isQuick ? 2 : 4
    const job = { load: run.load, upstream: run.upstream, streams, rate }
    for (const server of servers) await eventCost(server, { ...job, seconds: 1 })
    const rounds = await alternate(servers, run.isQuick ? 3 : 5, server => eventCost(server, { ...job, seconds }))
    const costs = (name: string) => (rounds.get(name) ?? []).map(({ cpuMicros }) => cpuMicros)
    const figures: Figure[] = servers.map(({ name }) => {
      const results = rounds.get(name) ?? []
      const of = (field: keyof (typeof results)[number]) => spreadOf(results.map(result => result[field]))
      return {
        name: `SSE at ${streams} streams x ${rate}/s, CPU per event: ${name}`,
        value: of('cpuMicros').median,
        unit: 'us',
        note: `${spanOf(of('cpuMicros'))}; ${Math.round(of('eventsPerSecond').median)} events/s, delay p50 ${of('delayP50').median.toFixed(1)} p99 ${of('delayP99').median.toFixed(1)} ms`,
      }
    })
    if (costs('nginx').length === 0) return figures
    const each = spreadOf(costs('gateway').map((cost, round) => cost / (costs('nginx')[round] ?? Number.NaN)))
    const value = spreadOf(costs('gateway')).median / spreadOf(costs('nginx')).median
    const goal = { bound: 'at most' as const, value: 1.6 }
    return [...figures, { name: 'CPU per SSE event, times that of nginx', value, unit: 'x', goal, note: `rounds ${spanOf(each)}` }]
  })
}

/** Measures the CPU time per event on one gateway with two targets, in turn: the answers of one
 *  are normalized, those of the other are relayed unchanged. */
export function normalFigures(run: StreamFiguresRun): Promise<Figure[]> {
  const job = { load: run.load, upstream: run.upstream, streams: 300, rate: 20 }
  return withGateway(run.start, async server => {
    const normal = { ...server, name: 'normalize', sse: { ...server.sse, model: 'bench-normal' } }
    for (const each of [server, normal]) await eventCost(each, { ...job, seconds: 1 })
    const rounds = await alternate([server, normal], run.isQuick ? 3 : 5, each => eventCost(each, { ...job, seconds: 3 }))
    const [plain = [], put = []] = ['gateway', 'normalize'].map(name => (rounds.get(name) ?? []).map(({ cpuMicros }) => cpuMicros))
    const each = spreadOf(put.map((cost, round) => cost / (plain[round] ?? Number.NaN)))
    const note = `rounds ${spanOf(each)}; ${spreadOf(put).median.toFixed(1)} and ${spreadOf(plain).median.toFixed(1)} us an event`
    return [{ name: 'CPU per SSE event with normalize, times that without', value: each.median, unit: 'x', note }]
  })
}

export function memoryFigures(run: StreamFiguresRun): Promise<Figure[]> {
  const streams = run.isQuick ? 2_000 : 5_000
  return withGateway(run.start, async server => {
    const { perStream, resident } = await bytesPerStream(server, { ...run, streams })
    const note = `${(resident / 2 ** 20).toFixed(0)} MB in all`
    const name = `memory per open stream, at ${streams} streams`
    return [{ name, value: perStream / 1024, unit: 'KB', goal: { bound: 'at most', value: 40 }, note }]
  })
}

export function dropFigures(run: StreamFiguresRun): Promise<Figure[]> {
  const streams = 200
  return withGateway(run.start, async server => {
    const { aborted, lastAfterMs } = await droppedCallers(server, { ...run, streams })
    const goal = { bound: 'at least' as const, value: streams }
    const note = `the last after ${lastAfterMs.toFixed(0)} ms`
    return [{ name: `of ${streams} callers that left: upstreams aborted within 1 s`, value: aborted, unit: '', goal, note }]
  })
}

export function slowReaderFigures(run: StreamFiguresRun): Promise<Figure[]> {
  const streams = 10
  return withGateway(run.start, async server => {
    const { growth, underWay } = await slowReaders(server, { ...run, streams, settleMs: run.isQuick ? 2_000 : 4_000 })
    const note = `${(underWay / 2 ** 20).toFixed(1)} MB under way per stream, sockets of both hops included`
    // The goal is 1 MB and not 0, because the memory of a process varies by a few pages while data
    // flows.
    const goal = { bound: 'at most' as const, value: 1 }
    return [{ name: `growth behind ${streams} slow readers once buffers are full`, value: growth / 2 ** 20, unit: 'MB', goal, note }]
  })
}

export function withGateway(start: StartOptions, run: (server: RelayServer) => Promise<Figure[]>): Promise<Figure[]> {
  return withServers([ourGateway()], start, ([server]) => (server ? run(server) : Promise.resolve([])))
}

async function withServers(
  kinds: readonly ServerKind[],
  start: StartOptions,
  run: (servers: RelayServer[]) => Promise<Figure[]>,
): Promise<Figure[]> {
  const servers: RelayServer[] = []
  try {
    for (const kind of kinds) servers.push(await kind.start(start))
    return await run(servers)
  } finally {
    for (const server of servers) await server.stop()
  }
}
