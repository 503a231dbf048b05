import { setTimeout as sleep } from 'node:timers/promises'
import { accessKey, jsonHeaders, type MeasuredLoad, measure, median, post, runLoad, untilReady } from './measure.ts'
import { cpuSeconds, peakResidentBytes, residentBytes, type Server, treeCpuSeconds } from './process.ts'

/** One line of the report. `goal` is a bound for the figure, `at most` or `at least`. */
export interface Figure {
  name: string
  value: number
  unit: string
  goal?: { bound: 'at most' | 'at least'; value: number }
  note?: string
}

const submitPath = '/v1/ai/default/imgf/image/generate'
const body = { prompt: 'a red fox under a cherry tree at sunset', width: 1024, height: 1024, seed: 7 }
const connections = 64

/** Measures three things in turn, in rounds of `seconds`: durable submits (the engines do not
 *  run), polls of pending tasks, and the reference server. */
export async function submitsAndPolls(
  gateway: Server,
  bare: Server,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figure[]> {
  const { id } = await post(gateway.url, body)
  const submit = () =>
    measure(gateway, { connections, seconds, method: 'POST', paths: [submitPath], headers: jsonHeaders, body: JSON.stringify(body) })
  const poll = () =>
    measure(gateway, { connections, seconds, method: 'GET', paths: [`/v1/ai/default/imgf/get_result?id=${id}`], headers: jsonHeaders })
  const hello = () => measure(bare, { connections, seconds, method: 'GET', paths: ['/'], headers: jsonHeaders })
  const seen: Record<'submit' | 'poll' | 'hello', MeasuredLoad[]> = { submit: [], poll: [], hello: [] }
  for (const run of [submit, poll, hello]) await run()
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['submit', 'poll', 'hello'] as const) : (['hello', 'poll', 'submit'] as const)
    for (const name of order) seen[name].push(await { submit, poll, hello }[name]())
  }
  const cpu = (name: keyof typeof seen) => median(seen[name].map(result => result.cpuMicros))
  const rate = (name: keyof typeof seen) => median(seen[name].map(result => result.requests / result.seconds))
  return [
    {
      name: 'durable submits per CPU-second of the gateway process',
      value: 1e6 / cpu('submit'),
      unit: '/s',
      goal: { bound: 'at least', value: 5_000 },
    },
    {
      name: 'durable submits per second, 64 connections',
      value: rate('submit'),
      unit: '/s',
      note: 'gateway on one core, load on the other',
    },
    {
      name: 'CPU of a poll, times a bare node:http answer',
      value: cpu('poll') / cpu('hello'),
      unit: 'x',
      goal: { bound: 'at most', value: 2.5 },
      note: `${cpu('poll').toFixed(1)} against ${cpu('hello').toFixed(1)} us`,
    },
    { name: 'polls per second, 64 connections', value: rate('poll'), unit: '/s' },
  ]
}

/** Measures two things in turn, in rounds of `seconds`: polls of a finished task, each of which
 *  signs a new link, and the reference server. */
export async function finishedPolls(
  gateway: Server,
  bare: Server,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figure[]> {
  const { id, polling_url } = await post(gateway.url, { ...body, width: 256, height: 256 })
  await untilReady(polling_url)
  const load = { connections, seconds, method: 'GET' as const, headers: jsonHeaders }
  const poll = () => measure(gateway, { ...load, paths: [`/v1/ai/default/imgf/get_result?id=${id}`] })
  const hello = () => measure(bare, { ...load, paths: ['/'] })
  await poll()
  await hello()
  const ratios: number[] = []
  const costs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [polled, answered] = round % 2 === 0 ? [await poll(), await hello()] : [await hello(), await poll()].reverse()
    ratios.push(polled!.cpuMicros / answered!.cpuMicros)
    costs.push(polled!.cpuMicros)
  }
  return [
    {
      name: 'CPU of a poll of a finished task, times a bare node:http answer',
      value: median(ratios),
      unit: 'x',
      goal: { bound: 'at most', value: 2.5 },
      note: `${median(costs).toFixed(1)} us; rounds ${ratios.map(ratio => ratio.toFixed(2)).join(', ')}`,
    },
  ]
}

/** Prompts of many kinds of pictures. The median of the CPU times for all of them is reported. */
const pictures = [
  'a red fox under a cherry tree at sunset, watercolor',
  'three sailboats on a stormy sea at night',
  'a cup of coffee on a wooden table by a rainy window',
  'two dogs and a black cat in a meadow',
  'an old castle between autumn trees, oil painting',
  'a girl in a red dress reading under a tree',
  'a robot in a neon city street at night',
  'a birthday cake with candles and balloons',
  'a whale and five fish under the sea',
  'a snowy village with northern lights',
  'an elephant in the rain, pencil sketch',
  '一只熊猫坐在竹林里',
  'a lighthouse on a cliff at dawn',
  'an astronaut riding a horse on the moon',
  'a bowl of noodles on a kitchen table',
]

/** Measures the CPU time of the engine's process for pictures of 1024x1024, drawn one after
 *  another. */
export async function pictureCost(gateway: Server): Promise<Figure[]> {
  await untilReady((await post(gateway.url, { ...body, seed: 1 })).polling_url)
  const costs: number[] = []
  for (const prompt of pictures) {
    const before = engineCpu(gateway)
    await untilReady((await post(gateway.url, { prompt, width: 1024, height: 1024, seed: 7 })).polling_url)
    costs.push(engineCpu(gateway) - before)
  }
  return [
    { name: 'median F1 picture of 1024x1024, CPU of the engine', value: median(costs), unit: 's', goal: { bound: 'at most', value: 1.2 } },
    { name: 'dearest of the 15 pictures', value: Math.max(...costs), unit: 's' },
  ]
}

function engineCpu({ pid }: Server): number {
  return treeCpuSeconds(pid) - cpuSeconds(pid)
}

/** Submits a picture of 20 MB in 20 requests at once, and measures by how much the memory of the
 *  gateway's process grows. Repeats this once. */
export async function largeBodies(gateway: Server, image: Buffer): Promise<Figure[]> {
  const before = residentBytes(gateway.pid)
  const text = JSON.stringify({ prompt: 'make it grey', input_image: image.toString('base64') })
  const startedAt = performance.now()
  const cpuBefore = cpuSeconds(gateway.pid)
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(gateway.url + submitPath, { method: 'POST', headers: jsonHeaders, body: text }).then(response => response.status),
      ),
    )
    if (answers.some(status => status !== 200))
      throw new Error(`a large submit was answered with ${answers.find(status => status !== 200)}`)
  }
  const seconds = (performance.now() - startedAt) / 1000
  return [
    {
      name: '20 submits of 20 MB at once: growth of the gateway process',
      value: (peakResidentBytes(gateway.pid) - before) / 2 ** 20,
      unit: 'MiB',
      goal: { bound: 'at most', value: 200 },
    },
    {
      name: 'large bodies taken',
      value: (40 * text.length) / 2 ** 20 / seconds,
      unit: 'MiB/s',
      note: `${(cpuSeconds(gateway.pid) - cpuBefore).toFixed(1)} CPU s for ${((40 * text.length) / 2 ** 20).toFixed(0)} MiB`,
    },
  ]
}

/** Measures polls while four pictures at a time are being drawn, and the reference server at the
 *  same time. */
export async function pollsWhileRendering(gateway: Server, bare: Server, seconds: number): Promise<Figure[]> {
  let isOpen = true
  const render = async (lane: number) => {
    for (let index = 0; isOpen; index++)
      await untilReady(
        (await post(gateway.url, { prompt: pictures[(lane * 4 + index) % pictures.length], width: 1024, height: 1024, seed: index }))
          .polling_url,
      )
  }
  const rendering = Promise.all([0, 1, 2, 3].map(render))
  await sleep(3_000)
  const { id } = await post(gateway.url, body)
  const job = { connections: 4, seconds, method: 'GET' as const, headers: { authorization: `Bearer ${accessKey}` } }
  await loopDelay(gateway)
  const polls = await runLoad({ ...job, origin: gateway.url, paths: [`/v1/ai/default/imgf/get_result?id=${id}`] })
  const delay = await loopDelay(gateway)
  const hello = await runLoad({ ...job, origin: bare.url, paths: ['/'] })
  isOpen = false
  await rendering
  return [
    { name: 'event loop delay p99 while four pictures render', value: delay, unit: 'ms', goal: { bound: 'at most', value: 20 } },
    { name: 'poll p99 while four pictures render', value: polls.p99, unit: 'ms', note: `p50 ${polls.p50.toFixed(2)} ms` },
    {
      name: 'the same, times the bare server under the same load',
      value: polls.p99 / hello.p99,
      unit: 'x',
      note: `bare p99 ${hello.p99.toFixed(2)} ms`,
    },
  ]
}

/** Returns the 99th percentile of the event loop's delay since the last call, in ms. The
 *  sampling interval of 10 ms is subtracted. */
export async function loopDelay(gateway: Server): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const seconds = Number(/^gateway_nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN)
  return Math.max(0, seconds * 1000 - 10)
}
