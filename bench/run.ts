/** `npm run bench [-- fairness | fuzz | media | relay | scale | speech | studio | tools]
 *  [--quick] [--help]`: with a name, runs that benchmark. Without a name, runs every scenario and
 *  prints the figures with their goals; without `--quick` and `--only`, it also writes them to
 *  bench/results/latest.json. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { benchFairness, fairnessEngines } from './fairness/bench.ts'
import { benchFuzz } from './fuzz.ts'
import { accessKey } from './measure.ts'
import { benchMedia } from './media.ts'
import { type Server, startServer } from './process.ts'
import { benchRelay, relayScenarios } from './relay/bench.ts'
import { isMet, lineOf, machine, print } from './report.ts'
import { benchScale, scaleParts } from './scale/bench.ts'
import { type Figure, finishedPolls, largeBodies, pictureCost, pollsWhileRendering, submitsAndPolls } from './scenarios.ts'
import { benchSpeech } from './speech/bench.ts'
import { benchStudio } from './studio.ts'
import { benchTools } from './tools.ts'

/** Benchmarks by name. When the first argument is one of these names, only this benchmark runs. */
const benches: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  fairness: benchFairness,
  fuzz: benchFuzz,
  media: benchMedia,
  relay: benchRelay,
  scale: benchScale,
  speech: benchSpeech,
  studio: benchStudio,
  tools: benchTools,
}
if (process.argv.includes('--help')) {
  print(help())
  process.exit()
}
const bench = benches[process.argv[2] ?? '']
if (bench) {
  await bench(process.argv.slice(3))
  process.exit()
}

const isQuick = process.argv.includes('--quick')
const only = process.argv.find(argument => argument.startsWith('--only='))?.slice('--only='.length)
const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'))
const figures: Figure[] = []

try {
  const bare = await startServer('bench/bare.ts', { port: 18_100, core: 0 })
  const scenarios: [name: string, run: () => Promise<Figure[]>][] = [
    [
      'submits',
      () =>
        withGateway({ core: 0, workers: 0 }, gateway =>
          submitsAndPolls(gateway, bare, isQuick ? { rounds: 2, seconds: 1 } : { rounds: 5, seconds: 3 }),
        ),
    ],
    [
      'polls',
      () =>
        withGateway({ core: 0, workers: 1 }, gateway =>
          finishedPolls(gateway, bare, isQuick ? { rounds: 2, seconds: 1 } : { rounds: 5, seconds: 3 }),
        ),
    ],
    ['bodies', () => withGateway({ workers: 0 }, async gateway => largeBodies(gateway, await largeImage()))],
    ['pictures', () => withGateway({ workers: 1 }, pictureCost)],
    ['rendering', () => withGateway({}, gateway => pollsWhileRendering(gateway, bare, isQuick ? 5 : 15))],
  ]
  for (const [name, run] of scenarios) {
    if (only !== undefined && only !== name) continue
    for (const figure of await run()) {
      figures.push(figure)
      print(lineOf(figure))
    }
  }
  await bare.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const missed = figures.filter(figure => !isMet(figure))
print(missed.length === 0 ? '\nAll goals met.' : `\n${missed.length} goals missed.`)
if (missed.length > 0) process.exitCode = 1
if (!isQuick && only === undefined) {
  writeFileSync('bench/results/latest.json', `${JSON.stringify({ ...machine(), load: loadavg(), figures }, null, 2)}\n`)
}

async function withGateway(options: { core?: number; workers?: number }, run: (gateway: Server) => Promise<Figure[]>): Promise<Figure[]> {
  const gateway = await startServer('src/cli/gateway.ts', {
    args: ['serve'],
    port: 18_101,
    ...(options.core === undefined ? {} : { core: options.core }),
    env: {
      GATEWAY_DATA_DIR: join(folder, `data-${figures.length}`),
      GATEWAY_ACCESS_KEY: accessKey,
      GATEWAY_LOG_LEVEL: 'info',
      GATEWAY_MIN_FREE_MB: '1',
      GATEWAY_ENGINE_PRELOAD: '0',
      ...(options.workers === undefined ? {} : { GATEWAY_ENGINE_WORKERS: String(options.workers) }),
    },
  })
  try {
    return await run(gateway)
  } finally {
    await gateway.stop()
  }
}

/** Returns how the benchmarks are called, with the names of their scenarios. */
function help(): string {
  const scenarios: Readonly<Record<string, readonly string[]>> = { fairness: fairnessEngines, relay: relayScenarios, scale: scaleParts }
  const line = (name: string) => `  ${name.padEnd(10)}${scenarios[name] ? ` --only=${scenarios[name].join('|')}` : ''}`.trimEnd()
  return `npm run bench [-- NAME] [--quick] [--only=SCENARIO]

Names, and their scenarios:
${Object.keys(benches).map(line).join('\n')}
Without a name: --only=submits|polls|bodies|pictures|rendering`
}

/** Returns a valid PNG of exactly 20 MB. Bytes were added after the end of the picture to reach
 *  this size. */
async function largeImage(): Promise<Buffer> {
  const pixels = randomBytes(2048 * 2048 * 3)
  const png = await sharp(pixels, { raw: { width: 2048, height: 2048, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return Buffer.concat([png, Buffer.alloc(20 * 2 ** 20 - png.length)])
}
