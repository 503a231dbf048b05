/** `npm run bench -- relay [--quick]
 *  [--only=json|events|normal|protocols|memory|drops|slow|records]`: measures this gateway in
 *  comparison with nginx and other gateways that are installed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMet, lineOf, loadText, machine, print } from '../report.ts'
import type { Figure } from '../scenarios.ts'
import { jsonFigures, printSkipped } from './json-figures.ts'
import { Load } from './load-process.ts'
import { protocolFigures } from './protocol-figures.ts'
import { recordFigures } from './record-figures.ts'
import { loadTool } from './rounds.ts'
import { nginx } from './servers.ts'
import { dropFigures, eventFigures, memoryFigures, normalFigures, slowReaderFigures } from './stream-figures.ts'
import { startNginxUpstream, startNodeUpstream } from './upstreams.ts'

const results = 'bench/results/relay.json'
/** Scenarios that the quick run leaves out, because their figures are only right on an otherwise
 *  idle machine. */
const notQuick = new Set<string>(['events', 'normal', 'protocols'])
/** Names of the scenarios, in the order in which they run. */
export const relayScenarios = ['json', 'events', 'normal', 'protocols', 'memory', 'drops', 'slow', 'records'] as const
const jsonPort = 18_210
const ssePort = 18_211

/** Runs the scenarios and prints each figure with its goal. When all have run, also writes them
 *  to bench/results/relay.json. Sets the exit code when a goal is missed. */
export async function benchRelay(args: readonly string[]): Promise<void> {
  const isQuick = args.includes('--quick')
  const only = args.find(argument => argument.startsWith('--only='))?.slice('--only='.length)
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-relay-'))
  const before = loadavg()
  print(`load average before: ${loadText(before)}; load by ${loadTool()}, JSON upstream ${nginx.missing === undefined ? 'nginx' : 'Node'}`)
  const figures: Figure[] = []
  const skipped: string[] = []
  try {
    for await (const part of parts({ folder, isQuick, ...(only === undefined ? {} : { only }) })) {
      for (const figure of part.figures) print(lineOf(figure))
      printSkipped(part.skipped)
      figures.push(...part.figures)
      skipped.push(...part.skipped)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const after = loadavg()
  const missed = figures.filter(figure => !isMet(figure))
  print(`load average after: ${loadText(after)}`)
  print(missed.length === 0 ? 'All goals met.' : `${missed.length} goals missed.`)
  if (missed.length > 0) process.exitCode = 1
  if (isQuick || only !== undefined) return
  const report = { ...machine(), loadBefore: before, loadAfter: after, tool: loadTool(), skipped, figures }
  writeFileSync(results, `${JSON.stringify(report, null, 2)}\n`)
}

interface Part {
  figures: Figure[]
  skipped: string[]
}

async function* parts({ folder, isQuick, only }: { folder: string; isQuick: boolean; only?: string }): AsyncGenerator<Part> {
  const upstream = await startNodeUpstream(ssePort)
  const hasNginx = nginx.missing === undefined
  const jsonUpstream = hasNginx ? await startNginxUpstream(jsonPort, folder) : upstream
  const load = new Load()
  const start = { folder, jsonPort: jsonUpstream.port, ssePort }
  const streams = { load, upstream, start, isQuick }
  const plain = (run: () => Promise<Figure[]>) => async () => ({ figures: await run(), skipped: [] })
  const scenarios: Record<(typeof relayScenarios)[number], () => Promise<Part>> = {
    json: () => jsonFigures({ load, upstream: jsonUpstream, start, isQuick }),
    events: async () => ({
      figures: await eventFigures(streams),
      skipped: nginx.missing === undefined ? [] : [`SSE beside nginx: ${nginx.missing}`],
    }),
    normal: plain(() => normalFigures(streams)),
    protocols: plain(() => protocolFigures(streams)),
    memory: plain(() => memoryFigures(streams)),
    drops: plain(() => dropFigures(streams)),
    slow: plain(() => slowReaderFigures(streams)),
    records: () => recordFigures({ load, start, isQuick }),
  }
  if (only !== undefined && !(only in scenarios)) throw new Error(`there is no scenario ${only}`)
  try {
    for (const name of relayScenarios) {
      if (only === undefined ? !(isQuick && notQuick.has(name)) : name === only) yield await scenarios[name]()
    }
  } finally {
    await load.end()
    await upstream.stop()
    if (jsonUpstream !== upstream) await jsonUpstream.stop()
  }
}
