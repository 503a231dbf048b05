/** Measures how many small requests each server relays per second of CPU time, and prints ratios
 *  of this gateway to the other servers. */
import { errorMessage } from '@generation-gateway/kit/errors.ts'
import { print } from '../report.ts'
import type { Figure } from '../scenarios.ts'
import type { Load } from './load-process.ts'
import { alternate, type JsonLoad, type JsonRound, type Spread, spreadOf, warm, warmRound } from './rounds.ts'
import { bareRelay, hello, litellm, nginx, ourGateway, portkey, type RelayServer, type ServerKind, type StartOptions } from './servers.ts'
import type { Upstream } from './upstreams.ts'

export interface JsonFigures {
  figures: Figure[]
  /** Servers that could not be measured: for each, the reason, and the command that installs it
   *  if it is missing. */
  skipped: string[]
}

export interface JsonRun {
  load: Load
  upstream: Upstream
  start: StartOptions
  isQuick: boolean
}

const connections = 64
const ours = 'gateway'
const portkeyOn20 = portkey('20')
const portkeyPinned = portkey('pinned')

/** The servers that this gateway is compared with (peers). `atLeast` is the goal: the number of
 *  requests that this gateway relays per second of CPU time, divided by the same number of the
 *  peer. The goal for Portkey applies to Node 20. On this project's Node version Portkey is faster,
 *  and the goal would be 10 (docs/measured.md#method-of-the-bench). */
const goals: readonly { kind: ServerKind; atLeast?: number; isInQuick: boolean }[] = [
  { kind: nginx, atLeast: 0.18, isInQuick: false },
  { kind: portkeyOn20, atLeast: 20, isInQuick: false },
  { kind: portkeyPinned, isInQuick: false },
  { kind: litellm, atLeast: 50, isInQuick: false },
  { kind: bareRelay, isInQuick: true },
  { kind: hello, atLeast: 0.25, isInQuick: true },
]

export async function jsonFigures(run: JsonRun): Promise<JsonFigures> {
  const { load, upstream, start, isQuick } = run
  const job: JsonLoad = { load, upstream, folder: start.folder, connections, seconds: isQuick ? 1 : 3 }
  const compared = goals.filter(({ isInQuick }) => isInQuick || !isQuick)
  const skipped = compared.flatMap(({ kind }) => kind.missing ?? [])
  const servers: RelayServer[] = []
  try {
    const kinds = [ourGateway(), ...compared.map(({ kind }) => kind)].filter(kind => kind.missing === undefined)
    for (const kind of kinds) await startWarm(kind, { start, job, servers, skipped })
    const rounds = await alternate(servers, isQuick ? 3 : 5, server => warmRound(server, job))
    return { figures: [...costs(rounds), ...ratios(rounds, compared)], skipped }
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Starts a server and warms it up. A peer that does not start, or answers with errors, is
 *  skipped and reported. When this gateway does not start or answers with errors, the benchmark
 *  itself fails. */
async function startWarm(
  kind: ServerKind,
  { start, job, servers, skipped }: { start: StartOptions; job: JsonLoad; servers: RelayServer[]; skipped: string[] },
): Promise<void> {
  try {
    const server = await kind.start(start)
    servers.push(server)
    await warm(server, job)
  } catch (error) {
    if (kind.name === ours) throw error
    skipped.push(`${kind.name}: ${errorMessage(error)}`)
    const broken = servers.findIndex(({ name }) => name === kind.name)
    if (broken >= 0) await servers.splice(broken, 1)[0]?.stop()
  }
}

function costs(rounds: Map<string, JsonRound[]>): Figure[] {
  return [...rounds].map(([name, results]) => {
    const spread = spreadOf(results.map(({ cpuMicros }) => cpuMicros))
    const last = results.at(-1)
    const perSecond = spreadOf(results.map(result => result.perSecond)).median
    const share = spreadOf(results.map(result => result.coreShare)).median
    return {
      name: `JSON relay, CPU per request: ${name}`,
      value: spread.median,
      unit: 'us',
      note: `${spanOf(spread)}; ${Math.round(perSecond)}/s on ${share.toFixed(2)} core, ${last?.residentMb.toFixed(0)} MB, ${last?.opened} upstream connections opened`,
    }
  })
}

function ratios(rounds: Map<string, JsonRound[]>, compared: typeof goals): Figure[] {
  const own = (rounds.get(ours) ?? []).map(({ cpuMicros }) => cpuMicros)
  return compared.flatMap(({ kind, atLeast }) => {
    const results = rounds.get(kind.name)
    if (!results) return []
    const theirs = results.map(({ cpuMicros }) => cpuMicros)
    const each = spreadOf(theirs.map((cost, round) => cost / (own[round] ?? Number.NaN)))
    return {
      name: `requests per CPU-second, times those of ${kind.name}`,
      value: spreadOf(theirs).median / spreadOf(own).median,
      unit: 'x',
      ...(atLeast === undefined ? {} : { goal: { bound: 'at least' as const, value: atLeast } }),
      note: `rounds ${spanOf(each)}`,
    }
  })
}

export function spanOf({ min, max }: Spread): string {
  return `${min.toPrecision(3)} to ${max.toPrecision(3)}`
}

export function printSkipped(skipped: readonly string[]): void {
  for (const reason of skipped) print(`skipped: ${reason}`)
}
