/** `npm run bench -- media [--only=video|polls|music]`: creates clips and music through the
 *  public interface, and measures how much CPU time and memory the processes of the gateway use
 *  for this. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessKey, jsonHeaders, median, runLoad } from './measure.ts'
import { descendantsOf, residentBytesOf, type Server, startServer, treeCpuSeconds } from './process.ts'
import { isMet, lineOf, print } from './report.ts'
import { type Figure, loopDelay } from './scenarios.ts'

const parts = ['video', 'polls', 'music'] as const
const scenes = [
  'a sailing boat crosses the bay at sunset, the camera pans right',
  'a dog runs through a park in autumn, leaves fall',
  'a night street in the rain, neon signs, a car drives by',
]

/** Prints the figures of each part when the part has ended. Sets the exit code when a goal is
 *  missed. */
export async function benchMedia(args: readonly string[]): Promise<void> {
  const only = args.find(argument => argument.startsWith('--only='))?.slice('--only='.length)
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'))
  const gateway = await startServer('src/cli/gateway.ts', {
    args: ['serve'],
    port: 18_101,
    env: { GATEWAY_DATA_DIR: folder, GATEWAY_ACCESS_KEY: accessKey, GATEWAY_LOG_LEVEL: 'warn', GATEWAY_ENGINE_PRELOAD: '0' },
  })
  const runs = { video: () => clips(gateway), polls: () => pollsBesideClips(gateway), music: () => music(gateway) }
  let isWhole = true
  try {
    for (const part of parts) {
      if (only !== undefined && only !== part) continue
      for (const figure of await runs[part]()) {
        isWhole &&= isMet(figure)
        print(lineOf(figure))
      }
    }
  } finally {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  if (!isWhole) process.exitCode = 1
}

/** Measures the CPU time and the memory of clips: three of 8 s (24 frames a second) in each
 *  resolution. The first clip, of 4 s, only warms up. */
async function clips(gateway: Server): Promise<Figure[]> {
  await filmed(gateway, { prompt: scenes[0]!, resolution: '720p', seconds: 4 })
  const figures: Figure[] = []
  for (const [resolution, goal] of [
    ['720p', 10],
    ['1080p', 22],
  ] as const) {
    const costs: number[] = []
    let peak = 0
    for (const prompt of scenes) {
      const { cpu, peakBytes } = await measured(gateway, () => filmed(gateway, { prompt, resolution, seconds: 8 }))
      costs.push(cpu)
      peak = Math.max(peak, peakBytes)
    }
    figures.push({
      name: `median clip of 8 s at ${resolution}, CPU of all processes`,
      value: median(costs),
      unit: 's',
      goal: { bound: 'at most', value: goal },
      note: costs.map(cost => cost.toFixed(1)).join(', '),
    })
    figures.push({
      name: `memory of one render at ${resolution}, engine and encoder`,
      value: peak / 2 ** 20,
      unit: 'MiB',
      goal: { bound: 'at most', value: 600 },
    })
  }
  return figures
}

/** Measures polls of a task while two clips are being rendered. */
async function pollsBesideClips(gateway: Server): Promise<Figure[]> {
  const operation = await submitted(gateway, 'vidv/videos/generate', clipBody({ prompt: scenes[0]!, resolution: '1080p', seconds: 8 }))
  const rendering = scenes.slice(0, 2).map(prompt => filmed(gateway, { prompt, resolution: '1080p', seconds: 8 }))
  await sleep(3_000)
  const { id } = await submitted(gateway, 'imgf/image/generate', { prompt: 'a red ball', width: 256, height: 256 })
  await loopDelay(gateway)
  const polls = await runLoad({
    ...{ connections: 4, seconds: 10, method: 'GET', headers: { authorization: `Bearer ${accessKey}` } },
    ...{ origin: gateway.url, paths: [`/v1/ai/default/imgf/get_result?id=${id}`] },
  })
  const delay = await loopDelay(gateway)
  await Promise.all([...rendering, ended(gateway, operation.name!)])
  return [
    { name: 'event loop delay p99 while two clips render', value: delay, unit: 'ms', goal: { bound: 'at most', value: 20 } },
    {
      name: 'poll p99 while two clips render',
      value: polls.p99,
      unit: 'ms',
      goal: { bound: 'at most', value: 20 },
      note: `p50 ${polls.p50.toFixed(2)} ms; load, renders and gateway on the same cores`,
    },
  ]
}

/** Creates music. The goal is for one minute with all instruments. */
async function music(gateway: Server): Promise<Figure[]> {
  const costs: number[] = []
  for (const prompt of ['upbeat pop with full band', 'epic orchestral march', 'slow jazz trio at night']) {
    let seconds = 0
    const { cpu } = await measured(gateway, async () => {
      seconds = await played(gateway, prompt)
    })
    costs.push((cpu / seconds) * 60)
  }
  return [
    {
      name: 'a minute of instrumental, CPU of all processes',
      value: median(costs),
      unit: 's',
      goal: { bound: 'at most', value: 8 },
      note: costs.map(cost => cost.toFixed(1)).join(', '),
    },
  ]
}

async function played(gateway: Server, prompt: string): Promise<number> {
  const { id } = await submitted(gateway, 'mus/instrumental/generate', { prompt, n: 1 })
  for (;;) {
    const { status, choices } = await answer(gateway, `mus/instrumental/query/${id}`)
    if (status === 'succeeded') return choices[0].duration / 1000
    if (!['preparing', 'queued', 'running', 'streaming', 'reviewing'].includes(status)) throw new Error(`music ended as ${status}`)
    await sleep(200)
  }
}

interface Clip {
  prompt: string
  resolution: '720p' | '1080p'
  seconds: number
}

function clipBody({ prompt, resolution, seconds }: Clip): object {
  return { instances: [{ prompt }], parameters: { durationSeconds: seconds, resolution, sampleCount: 1, aspectRatio: '16:9' } }
}

async function filmed(gateway: Server, clip: Clip): Promise<void> {
  await ended(gateway, (await submitted(gateway, 'vidv/videos/generate', clipBody(clip))).name!)
}

async function ended(gateway: Server, operationName: string): Promise<void> {
  for (;;) {
    const { done, error } = await answer(gateway, 'vidv/videos/task', { operationName })
    if (error) throw new Error(`a clip ended with ${JSON.stringify(error)}`)
    if (done) return
    await sleep(200)
  }
}

/** Runs `run`. Returns the CPU time in seconds that the gateway with its child processes used, and
 *  the largest resident memory in bytes that its child processes had together meanwhile. */
async function measured(gateway: Server, run: () => Promise<unknown>): Promise<{ cpu: number; peakBytes: number }> {
  const before = treeCpuSeconds(gateway.pid)
  let peakBytes = 0
  const watch = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytesOf(descendantsOf(gateway.pid)))), 100)
  try {
    await run()
  } finally {
    clearInterval(watch)
  }
  return { cpu: treeCpuSeconds(gateway.pid) - before, peakBytes }
}

async function submitted(gateway: Server, path: string, body: object): Promise<{ id: string; name?: string }> {
  return answer(gateway, path, body)
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several families.
async function answer(gateway: Server, path: string, body?: object): Promise<any> {
  const response = await fetch(`${gateway.url}/v1/ai/default/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: jsonHeaders,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}
