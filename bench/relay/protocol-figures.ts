/** Compares the relays of other protocols with the relay of chat completions. One gateway serves
 *  all protocols in turn, in front of one upstream. */
import type { Figure } from '../scenarios.ts'
import { spanOf } from './json-figures.ts'
import type { ProtocolName } from './protocols.ts'
import { alternate, spreadOf, warm, warmRound } from './rounds.ts'
import { type RelayServer, speaking } from './servers.ts'
import { type StreamFiguresRun, withGateway } from './stream-figures.ts'
import { eventCost } from './streams.ts'

type Goals = Partial<Record<ProtocolName, NonNullable<Figure['goal']>>>

const whole: readonly ProtocolName[] = ['chat', 'messages', 'generate-content', 'embeddings']
const streamed: readonly ProtocolName[] = ['chat', 'messages', 'generate-content']

export function protocolFigures(run: StreamFiguresRun): Promise<Figure[]> {
  return withGateway(run.start, async gateway => [...(await requestRatios(gateway, run)), ...(await eventRatios(gateway, run))])
}

/** Measures how many whole answers are relayed per second of CPU time. Answers of conversations
 *  have 580 bytes, those of embeddings one vector of 1,536 numbers. */
async function requestRatios(gateway: RelayServer, { load, upstream, start, isQuick }: StreamFiguresRun): Promise<Figure[]> {
  const servers = whole.map(protocol => speaking(gateway, protocol))
  const job = { load, upstream, folder: start.folder, connections: 64, seconds: isQuick ? 1 : 2 }
  for (const server of servers) await warm(server, job)
  const rounds = await alternate(servers, isQuick ? 3 : 7, async server => (await warmRound(server, job)).cpuMicros)
  return ratios(rounds, {
    name: 'requests per CPU-second, times those of chat',
    ratio: (cost, chat) => chat / cost,
    unit: 'us a request',
    goals: { messages: { bound: 'at least', value: 0.9 } },
  })
}

async function eventRatios(gateway: RelayServer, { load, upstream, isQuick }: StreamFiguresRun): Promise<Figure[]> {
  const servers = streamed.map(protocol => speaking(gateway, protocol))
  const job = { load, upstream, streams: 300, rate: 20 }
  for (const server of servers) await eventCost(server, { ...job, seconds: 2 })
  const seconds = isQuick ? 1 : 3
  const rounds = await alternate(servers, isQuick ? 3 : 7, async server => (await eventCost(server, { ...job, seconds })).cpuMicros)
  return ratios(rounds, {
    name: 'CPU per SSE event, times that of chat',
    ratio: (cost, chat) => cost / chat,
    unit: 'us an event',
    goals: { messages: { bound: 'at most', value: 1.1 } },
  })
}

/** Returns, for each protocol except chat, the median of its ratio over all rounds. */
function ratios(
  rounds: Map<string, number[]>,
  { name, ratio, unit, goals }: { name: string; ratio(cost: number, chat: number): number; unit: string; goals: Goals },
): Figure[] {
  const chat = rounds.get('chat') ?? []
  return [...rounds].flatMap(([protocol, costs]) => {
    if (protocol === 'chat') return []
    const each = spreadOf(costs.map((cost, round) => ratio(cost, chat[round] ?? Number.NaN)))
    const goal = goals[protocol as ProtocolName]
    const note = `rounds ${spanOf(each)}; ${spreadOf(costs).median.toFixed(1)} and ${spreadOf(chat).median.toFixed(1)} ${unit}`
    return { name: `${protocol}: ${name}`, value: each.median, unit: 'x', ...(goal === undefined ? {} : { goal }), note }
  })
}
