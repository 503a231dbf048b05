/** The scenarios with open streams: CPU time per event, memory per stream, callers that
 *  disconnect, and callers that read slowly. */
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../measure.ts'
import type { Order } from './answers.ts'
import type { Load, StreamCounts } from './load-process.ts'
import { bodyFor, type RelayServer } from './servers.ts'
import type { NodeUpstream } from './upstreams.ts'

export interface StreamsRun {
  load: Load
  upstream: NodeUpstream
  streams: number
}

export interface EventCost {
  cpuMicros: number
  eventsPerSecond: number
  /** Median of the time in ms from the upstream's write to the caller's read; `delayP99` is the
   *  99th percentile. */
  delayP50: number
  delayP99: number
}

/** Returns the CPU time in microseconds that the server uses per event, measured over `seconds`
 *  while each of the streams has `rate` events a second. */
export async function eventCost(server: RelayServer, run: StreamsRun & { rate: number; seconds: number }): Promise<EventCost> {
  await openStreams(server, run, { mode: 'sse', rate: run.rate })
  await sleep(1_000)
  const before = { ...(await run.load.count()), cpu: server.cost().cpu }
  await sleep(run.seconds * 1_000)
  const cpu = server.cost().cpu
  const after = await run.load.count()
  await closeStreams(run)
  if (after.streams !== run.streams) throw new Error(`${server.name} kept ${after.streams} of ${run.streams} streams: the round is void`)
  const events = after.events - before.events
  return {
    cpuMicros: ((cpu - before.cpu) * 1e6) / events,
    eventsPerSecond: events / ((after.at - before.at) / 1000),
    delayP50: after.delayP50,
    delayP99: after.delayP99,
  }
}

/** Returns how many bytes of memory each open stream needs. `streams` streams are opened, with
 *  two events a second each. */
export async function bytesPerStream(server: RelayServer, run: StreamsRun): Promise<{ perStream: number; resident: number }> {
  // Some streams are opened and closed before the measurement, because the code and the pools that
  // the first streams load are not a cost of each stream.
  await openStreams(server, { ...run, streams: 50 }, { mode: 'sse', rate: 20 })
  await sleep(1_000)
  await closeStreams(run)
  const before = server.cost().resident
  await openStreams(server, run, { mode: 'sse', rate: 2 })
  const samples = await samplesOf(() => server.cost().resident, 5, 1_000)
  const { streams } = await run.load.count()
  await closeStreams(run)
  if (streams !== run.streams) throw new Error(`${server.name} kept ${streams} of ${run.streams} streams`)
  const resident = median(samples)
  return { perStream: (resident - before) / run.streams, resident }
}

/** Lets all callers disconnect in the middle of their streams. Returns how many requests to the
 *  upstream were aborted within 1 s, and after how many ms the last one was. */
export async function droppedCallers(server: RelayServer, run: StreamsRun): Promise<{ aborted: number; lastAfterMs: number }> {
  await openStreams(server, run, { mode: 'sse', rate: 20 })
  const before = await run.upstream.stats()
  const { at } = await run.load.drop()
  let after = before
  for (let waitedMs = 0; waitedMs < 1_000 && after.aborts - before.aborts < run.streams; waitedMs += 50) {
    await sleep(50)
    after = await run.upstream.stats()
  }
  return { aborted: after.aborts - before.aborts, lastAfterMs: Math.max(0, after.lastAbortAt - at) }
}

/** Lets callers read about a megabyte a second while the upstream sends as fast as it can. Returns
 *  the number of bytes by which the server's memory grows once all buffers are full, and the number
 *  of bytes per stream that the upstream has sent but the caller has not read. Sleeps three times
 *  for `settleMs`. */
export async function slowReaders(
  server: RelayServer,
  run: StreamsRun & { settleMs: number },
): Promise<{ growth: number; underWay: number }> {
  // The result of the first run is discarded, because the heap always grows the first time that
  // this much data passes. Only growth in the second run would be a leak.
  await openStreams(server, { ...run, isSlow: true }, { mode: 'flood' })
  await sleep(run.settleMs)
  await closeStreams(run)
  const sentBefore = (await run.upstream.stats()).bytes
  await openStreams(server, { ...run, isSlow: true }, { mode: 'flood' })
  await sleep(run.settleMs)
  const first = median(await samplesOf(() => server.cost().resident, 9, 250))
  await sleep(run.settleMs)
  const last = median(await samplesOf(() => server.cost().resident, 9, 250))
  const { bytes } = await run.load.count()
  const sent = (await run.upstream.stats()).bytes
  await closeStreams(run)
  return { growth: last - first, underWay: Math.max(0, sent - sentBefore - bytes) / run.streams }
}

async function openStreams(
  server: RelayServer,
  { load, streams, isSlow = false }: StreamsRun & { isSlow?: boolean },
  order: Partial<Order>,
): Promise<StreamCounts> {
  const { path, headers } = server.sse
  const counts = await load.open({ port: server.port, path, headers, body: bodyFor(server.sse, order), streams, isSlow })
  if (counts.failures > 0)
    throw new Error(`${server.name}: ${counts.failures} of ${streams} streams failed, the round is void: ${counts.firstFailure}`)
  return counts
}

/** Closes all streams. Resolves when the upstream has no stream left. */
async function closeStreams({ load, upstream }: StreamsRun): Promise<void> {
  await load.drop()
  for (let tries = 0; tries < 100; tries++) {
    // Only the streams must have ended. The connections may stay open for further requests.
    if ((await upstream.stats()).streams === 0) return
    await sleep(50)
  }
  throw new Error('streams were still open at the upstream 5 s after their callers had left')
}

async function samplesOf(sample: () => number, count: number, everyMs: number): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    await sleep(everyMs)
    samples.push(sample())
  }
  return samples
}
