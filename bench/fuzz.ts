/** `npm run bench -- fuzz [--count=100000] [--seed=29]`: sends damaged files of every format,
 *  and measures how fast the gateway answers them, and how fast it answers other requests
 *  meanwhile. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mediaSamples } from '../kit/testing/media-samples.ts'
import { fuzz, fuzzYaml } from '../src/testing/load/fuzz.ts'
import { accessKey } from './measure.ts'
import { startServer } from './process.ts'
import { isMet, lineOf, print } from './report.ts'
import type { Figure } from './scenarios.ts'

/** Goals in ms: the longest time until a damaged file is answered, and the longest delay of
 *  other requests at the same time. */
const longestMs = 3_000
const addedMs = 200
const probeEveryMs = 10
const quietMs = 20_000

/** Prints the figures, and each answer with a status of 500 or above or that took longer than
 *  `longestMs`. Sets the exit code when a goal is missed. */
export async function benchFuzz(args: readonly string[]): Promise<void> {
  const option = (name: string, usual: number) =>
    Number(args.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual)
  const count = option('count', 100_000)
  const folder = mkdtempSync(join(tmpdir(), 'gateway-fuzz-'))
  const config = join(folder, 'gateway.yaml')
  writeFileSync(config, fuzzYaml)
  const env = { GATEWAY_DATA_DIR: join(folder, 'data'), GATEWAY_ACCESS_KEY: accessKey, GATEWAY_CONFIG: config }
  const gateway = await startServer('bench/fuzz-gateway.ts', {
    port: 18_150,
    env: { ...env, GATEWAY_LOG_LEVEL: 'warn', GATEWAY_MIN_FREE_MB: '1', GATEWAY_ENGINE_PRELOAD: '0', GATEWAY_ENGINE_WORKERS: '0' },
  })
  try {
    const quiet = await probed(gateway.url, () => new Promise(resolve => setTimeout(resolve, quietMs)))
    const answers: number[] = []
    const statuses = new Map<number, number>()
    const samples = await mediaSamples()
    const busy = await probed(gateway.url, () =>
      fuzz({
        ...{ url: gateway.url, samples, seed: option('seed', 29), count, atOnce: 4, headers: { authorization: `Bearer ${accessKey}` } },
        seen: ({ name, status, text, ms }) => {
          answers.push(ms)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500 || ms > longestMs) print(`${name}: ${status} after ${Math.round(ms)} ms ${text.slice(0, 120)}`)
        },
      }),
    )
    print([...statuses].map(([status, number]) => `${number} of ${status}`).join(', '))
    const figures: Figure[] = [
      { name: `slowest answer of ${count} files`, value: quantile(answers, 1), unit: 'ms', goal: { bound: 'at most', value: longestMs } },
      { name: 'median answer', value: quantile(answers, 0.5), unit: 'ms' },
      {
        name: 'p99.9 of /healthz, beyond that of a quiet gateway',
        value: quantile(busy, 0.999) - quantile(quiet, 0.999),
        unit: 'ms',
        goal: { bound: 'at most', value: addedMs },
        note: `${busy.length} probes; quiet: ${quantile(quiet, 0.999).toFixed(1)} ms of ${quiet.length}`,
      },
    ]
    for (const figure of figures) print(lineOf(figure))
    if (!figures.every(isMet)) process.exitCode = 1
  } finally {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sends requests to `/healthz`, one after the other, while `work` runs. Returns the time in ms
 *  that each took. */
async function probed(url: string, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  let isOver = false
  const looks = (async () => {
    while (!isOver) {
      const began = performance.now()
      await (await fetch(`${url}/healthz`)).arrayBuffer()
      took.push(performance.now() - began)
      await new Promise(resolve => setTimeout(resolve, probeEveryMs))
    }
  })()
  await work()
  isOver = true
  await looks
  return took
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
