/** `npm run bench -- fairness [--only=film] [--rounds=3]`: a short call of one account beside the worst that another one asks for, in each engine with two processes: its time alone and beside, and the longest piece of work that it may have to wait for. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import { median } from '../measure.ts'
import { print } from '../report.ts'
import type { FairnessCase } from './case.ts'
import { composer } from './composer.ts'
import { film } from './film.ts'
import { slides } from './slides.ts'
import { studio } from './studio.ts'

const cases: readonly FairnessCase[] = [film, studio, composer, slides]
/** Issue 29: within so many times its time alone, plus one piece. */
const mostTimes = 3

/** Prints a line for each engine. Sets the exit code when a goal is missed. */
export async function benchFairness(args: readonly string[]): Promise<void> {
  const given = (name: string) => args.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const [only, rounds] = [given('only'), Number(given('rounds') ?? 3)]
  print(row(['engine', 'alone ms', 'beside ms', 'ratio', 'longest piece ms', 'goal', 'what']))
  for (const each of cases) {
    if (only !== undefined && only !== each.name) continue
    const folder = mkdtempSync(join(tmpdir(), 'gateway-fairness-'))
    try {
      const { alone, beside } = await measured(each, { folder, rounds })
      const piece = await longestPiece(each, folder)
      const isMet = beside <= mostTimes * alone + piece
      if (!isMet) process.exitCode = 1
      print(row([each.name, ms(alone), ms(beside), (beside / alone).toFixed(2), ms(piece), isMet ? 'met' : 'MISSED', each.says]))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Milliseconds, medians. */
async function measured(
  { spec, long, short }: FairnessCase,
  { folder, rounds }: { folder: string; rounds: number },
): Promise<{ alone: number; beside: number }> {
  await using engine = openEngine(spec, { folder, cores: 2 })
  // Both processes have worked before.
  await Promise.all([short(engine, { account: 'c' }), short(engine, { account: 'd' })])
  const timesOf = async (account: string): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const from = performance.now()
      await short(engine, { account })
      times.push(performance.now() - from)
    }
    return median(times)
  }
  const alone = await timesOf('b')
  const stop = new AbortController()
  const begun = Promise.withResolvers<void>()
  const running = long.map(ask => ask(engine, { account: 'a', signal: stop.signal, onProgress: () => begun.resolve() }))
  for (const each of running) each.catch(error => (stop.signal.aborted ? undefined : begun.reject(error)))
  await begun.promise
  const beside = await timesOf('b')
  stop.abort(new Error('The bench has its figures.'))
  await Promise.allSettled(running)
  return { alone, beside }
}

/** Milliseconds, warm. */
async function longestPiece({ inPieces }: FairnessCase, folder: string): Promise<number> {
  let longest = 0
  for (let round = 0; round < 2; round++) {
    longest = 0
    let since = performance.now()
    const end = () => {
      longest = Math.max(longest, performance.now() - since)
      since = performance.now()
    }
    await inPieces(async () => end(), folder)
    end()
  }
  return longest
}

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(10) : index < 6 ? cell.padStart(17) : `  ${cell}`)).join('')
}

function ms(value: number): string {
  return value.toFixed(0)
}
