/** `npm run bench -- fairness [--only=speech] [--rounds=3]`: measures, for each engine, how long
 *  a short call of one account takes: first alone, then while another account loads the engine
 *  as heavily as it can. */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenEngine, openEngine } from '@generation-gateway/kit/open-engine.ts'
import { median } from '../measure.ts'
import { print } from '../report.ts'
import type { FairnessCase, Run } from './case.ts'
import { composerCases } from './composer.ts'
import { filmCases } from './film.ts'
import { recognitionCases } from './recognition.ts'
import { searchCases } from './search.ts'
import { slidesCases } from './slides.ts'
import { speechCases } from './speech.ts'
import { studioCases } from './studio.ts'
import { textCases } from './text.ts'

/** For each engine, a function that prepares its cases; only the selected ones are called. */
const engines: Readonly<Record<string, (folder: string) => Promise<FairnessCase[]>>> = {
  recognition: recognitionCases,
  speech: speechCases,
  text: textCases,
  search: searchCases,
  film: filmCases,
  studio: studioCases,
  composer: composerCases,
  slides: slidesCases,
}
export const fairnessEngines: readonly string[] = Object.keys(engines)

/** The goal: while another account loads the engine, the short call takes at most `mostRatio` times
 *  as long as it takes alone, plus the time of the longest step of the other account's work. The
 *  engine can switch to the short call only between two such steps (pieces). */
const mostRatio = 3
/** Time in ms for which a job is observed in order to find its longest piece. */
const watchMs = 20_000

interface Row {
  name: string
  aloneMs: number
  besideMs: number
  pieceMs: number
}

/** Prints a line for each case. Sets the exit code when the goal (`mostRatio`) is missed for one of
 *  them. */
export async function benchFairness(args: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => args.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const rounds = Number(option('rounds') ?? 3)
  const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'))
  print(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}; median of ${rounds}\n`)
  print(line(['case', 'alone ms', 'beside ms', 'ratio', 'longest piece ms', '']))
  try {
    for (const [name, casesIn] of Object.entries(engines)) {
      if (option('only') !== undefined && option('only') !== name) continue
      for (const each of await casesIn(folder)) {
        const row = await measured(each, join(folder, name), rounds)
        const { aloneMs, besideMs, pieceMs } = row
        const isMet = besideMs <= mostRatio * aloneMs + pieceMs
        if (!isMet) process.exitCode = 1
        const figures = [aloneMs, besideMs].map(ms => String(Math.round(ms)))
        print(line([row.name, ...figures, (besideMs / aloneMs).toFixed(2), String(Math.round(pieceMs)), isMet ? 'met' : 'MISSED']))
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function line([name = '', ...rest]: readonly string[]): string {
  return [name.padEnd(60), ...rest.map(cell => cell.padStart(10))].join(' ').trimEnd()
}

async function pieceOf({ long: [first], piece, inPieces }: FairnessCase, engine: OpenEngine): Promise<number> {
  if (inPieces) return longestStep(inPieces)
  if (piece) return timeOf(engine, piece, 1)
  return first ? longestPiece(engine, first) : 0
}

async function measured(each: FairnessCase, folder: string, rounds: number): Promise<Row> {
  const { name, engine: spec, long, short } = each
  await using engine = openEngine(spec, { folder, onLog: () => {} })
  // This first call is not measured: it loads the models and brings programs into the disk cache.
  await short(engine, { account: 'b' })
  const aloneMs = await timeOf(engine, short, rounds)
  const pieceMs = await pieceOf(each, engine)
  const { begun, leave } = start(engine, long)
  await begun
  const besideMs = await timeOf(engine, short, rounds)
  await leave()
  return { name, aloneMs, besideMs, pieceMs }
}

async function timeOf(engine: OpenEngine, run: Run, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    await run(engine, { account: 'b' })
    times.push(performance.now() - begun)
  }
  return median(times)
}

/** Returns the time in ms of the longest piece of a job that runs alone: the longest time
 *  between two of its progress reports. The time before the first report is left out. */
async function longestPiece(engine: OpenEngine, run: Run): Promise<number> {
  let longest = 0
  let last: number | undefined
  const onSign = (): void => {
    const now = performance.now()
    if (last !== undefined) longest = Math.max(longest, now - last)
    last = now
  }
  const { leave, ended } = start(engine, [run], onSign)
  await Promise.race([ended, new Promise(resolve => setTimeout(resolve, watchMs).unref())])
  await leave()
  return longest
}

/** Returns the longest time in ms between two calls of `giveWay` in a job. The job runs twice; only
 *  the second run is measured, so that the time to load models is left out. */
async function longestStep(inPieces: NonNullable<FairnessCase['inPieces']>): Promise<number> {
  let longest = 0
  for (let round = 0; round < 2; round++) {
    longest = 0
    let since = performance.now()
    const onStep = async (): Promise<void> => {
      longest = Math.max(longest, performance.now() - since)
      since = performance.now()
    }
    await inPieces(onStep)
    await onStep()
  }
  return longest
}

function start(engine: OpenEngine, long: readonly Run[], onSign?: () => void) {
  const stop = new AbortController()
  const begun = Promise.withResolvers<void>()
  const sign = (): void => {
    begun.resolve()
    onSign?.()
  }
  const options = { account: 'a', signal: stop.signal, onProgress: sign, onEvent: sign }
  const ended = Promise.allSettled(long.map(run => run(engine, options)))
  return {
    /** Resolves when one of the jobs has finished its first piece, or when all jobs have ended. */
    begun: Promise.race([begun.promise, ended]),
    ended,
    leave: async () => {
      stop.abort(new Error('The measurement is over.'))
      await ended
    },
  }
}
