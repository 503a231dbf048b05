/** A fake of Black Forest Labs (docs/vendors/bfl.md) for the chaos test: it delays answers,
 *  drops connections, answers nonsense and lets links expire, and it records exactly which tasks
 *  it has accepted and billed. It runs in the process of the test, so that it outlives every
 *  kill of the gateway. Each prompt has to contain a number, its index, by which a repeated
 *  submit is detected. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { wrongFields } from '../../drivers/vendors/bfl/testing/fake-vendor.ts'
import { testSecret } from '../../drivers/vendors/bfl/testing/run.ts'
import {
  type FakeReply,
  jsonReply,
  type ReceivedRequest,
  rawReply,
  resetReply,
  silentReply,
  startFakeUpstream,
} from '../fakes/fake-upstream.ts'
import {
  downloadFaults,
  type Fate,
  fates,
  linkFaults,
  openAnswers,
  pollFaults,
  SeededDraws,
  type SubmitFault,
  submitFaults,
} from './chaos-vendor-faults.ts'

/** A task in the vendor's record. */
interface VendorTask {
  id: string
  index: number
  seed: unknown
  fate: Fate
  /** Unix milliseconds. */
  readyAt: number
  looks: number
  links: number
  downloads: number
}

/** Everything that was submitted under one index. */
interface SubmitRecord {
  submits: number
  /** Number of submits that arrived although an earlier submit of this index was accepted, or
   *  may have been (its answer did not say). If `tasks` has more than one entry, the picture is
   *  paid for twice, which must never happen. */
  repeats: number
  tasks: VendorTask[]
  /** True when the answer to a submit left open whether the task was accepted. */
  isOpen: boolean
}

export interface ChaosVendor {
  /** Address of the vendor, `http://127.0.0.1:<port>`. The first part of a path names a region;
   *  all regions have the same tasks. */
  baseUrl: string
  /** Returns the record of an index; empty when no submission had this index. */
  record(index: number): SubmitRecord
  /** Number of times that each fault occurred: `submit busy`, `look garbage`, ... */
  faults: ReadonlyMap<string, number>
  /** Returns the largest number of concurrent requests so far. */
  mostAtOnce(): number
  /** Sets the function that is called for each valid submit, before the vendor answers it, with the
   *  number of valid submits so far. */
  onSubmit(listener: (submits: number) => void): void
  /** Returns the picture of an index, as the vendor draws it: one pixel in a colour of its own. */
  picture(index: number): Promise<Buffer>
  close(): Promise<void>
}

const linkLifetimeMs = 10 * 60_000
/** Share of tasks that are ready at the first poll, and the longest time in ms that drawing
 *  takes for all others. */
const readyAtOnce = 0.7
const longestDrawingMs = 900
/** Share of submits that are answered slowly, and the longest times in ms until an answer. */
const slowAnswers = 0.05
const longestDelaysMs = { usual: 30, slow: 500 }

/** Starts the vendor; the caller closes it. The fault of a request depends on the seed, the index
 *  and the number of requests of this kind (submit, poll, link, download) so far for the task. */
export async function startChaosVendor(seed: string): Promise<ChaosVendor> {
  const server = await startFakeUpstream()
  const baseUrl = new URL(server.baseUrl).origin
  const vendor = new Vendor(baseUrl, seed)
  server.answer((response, request) => vendor.serve(response, request))
  return {
    baseUrl,
    record: index => vendor.recordOf(index),
    faults: vendor.faults,
    mostAtOnce: () => vendor.mostAtOnce,
    onSubmit: listener => {
      vendor.onSubmit = listener
    },
    picture: index => vendor.picture(index),
    close: () => server.close(),
  }
}

class Vendor {
  mostAtOnce = 0
  onSubmit: (submits: number) => void = () => {}
  readonly faults = new Map<string, number>()
  readonly #baseUrl: string
  readonly #draws: SeededDraws
  readonly #records = new Map<number, SubmitRecord>()
  readonly #tasks = new Map<string, VendorTask>()
  readonly #pictures = new Map<number, Promise<Buffer>>()
  #submits = 0
  #atOnce = 0

  constructor(baseUrl: string, seed: string) {
    this.#baseUrl = baseUrl
    this.#draws = new SeededDraws(seed)
  }

  async serve(...[response, request]: Parameters<FakeReply>): Promise<void> {
    this.#atOnce += 1
    let isOver = false
    const end = () => {
      if (!isOver) this.#atOnce -= 1
      isOver = true
    }
    response.on('close', end)
    // The gateway may have closed another connection before it sent this request, and its end may
    // not have been read yet. Two turns of the event loop are enough to read it, so that the closed
    // connection is not counted.
    for (let turn = 0; turn < 2; turn++) await nextTurn()
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce)
    const reply = await this.#replyTo(request)
    await reply(response, request)
    end()
  }

  recordOf(index: number): SubmitRecord {
    let record = this.#records.get(index)
    if (!record) {
      record = { submits: 0, repeats: 0, tasks: [], isOpen: false }
      this.#records.set(index, record)
    }
    return record
  }

  picture(index: number): Promise<Buffer> {
    let picture = this.#pictures.get(index)
    if (!picture) {
      const pixel = Buffer.from([index >> 16, (index >> 8) & 255, index & 255])
      const size = { width: 1, height: 1, channels: 3 } as const
      picture = sharp(pixel, { raw: size }).png().toBuffer()
      this.#pictures.set(index, picture)
    }
    return picture
  }

  async #replyTo(request: ReceivedRequest): Promise<FakeReply> {
    const url = new URL(request.path, this.#baseUrl)
    const [, region = '', , name = ''] = url.pathname.split('/')
    const key = request.headers['x-key']
    if (region === 'delivery')
      return key === undefined ? this.#deliver(url, request) : jsonReply({ detail: 'A key has no business here' }, 400)
    if (key !== testSecret) return jsonReply({ detail: 'Not authenticated' }, 403)
    return request.method === 'POST' ? this.#submit(request, region, name) : this.#look(url)
  }

  async #submit({ json }: ReceivedRequest, region: string, model: string): Promise<FakeReply> {
    const body: Record<string, unknown> = Object(json)
    const wrong = wrongFields(model, body)
    if (wrong === undefined || wrong.length > 0) return jsonReply({ detail: `${model}: ${wrong?.join() ?? 'no such model'}` }, 422)
    const index = Number(/\d+/.exec(String(body.prompt))?.[0])
    const record = this.recordOf(index)
    record.submits += 1
    if (record.isOpen || record.tasks.length > 0) record.repeats += 1
    this.#submits += 1
    this.onSubmit(this.#submits)
    const what = `${index} ${record.submits}`
    const fault = this.#fault('submit', submitFaults, what)
    record.isOpen ||= openAnswers.has(fault)
    if (fault === 'rateLimited') return jsonReply({ error: 'rate_limit_exceeded', retry_after: 1 }, 429, { 'retry-after': '1' })
    if (fault === 'busy') return jsonReply({ detail: 'Service unavailable' }, 503)
    if (fault === 'failedUnread') return jsonReply({ detail: 'Internal Server Error' }, 500)
    if (fault === 'resetUnread') return resetReply()
    const task = this.#accept({ index, seed: body.seed, what })
    record.tasks.push(task)
    const delays = this.#draws.draw(`slow ${what}`) < slowAnswers ? longestDelaysMs.slow : longestDelaysMs.usual
    await sleep(delays * this.#draws.draw(`delay ${what}`))
    return this.#confirm(task, region, fault)
  }

  #accept({ index, seed, what }: { index: number; seed: unknown; what: string }): VendorTask {
    const picked = this.#draws.pick(fates, `fate ${what}`)
    const isReady = this.#draws.draw(`ready ${what}`) < readyAtOnce
    const task: VendorTask = {
      id: createHash('sha256').update(what).digest('hex').slice(0, 32),
      index,
      seed,
      fate: picked === 'none' ? 'Ready' : picked,
      readyAt: isReady ? 0 : Date.now() + longestDrawingMs * this.#draws.draw(`drawing ${what}`),
      looks: 0,
      links: 0,
      downloads: 0,
    }
    this.#tasks.set(task.id, task)
    return task
  }

  #confirm({ id }: VendorTask, region: string, fault: SubmitFault | 'none'): FakeReply {
    if (fault === 'acceptedThenReset') return resetReply()
    if (fault === 'acceptedThenFailed') return jsonReply({ detail: 'Internal Server Error' }, 500)
    if (fault === 'acceptedThenGarbage') return rawReply(`{"id":"${id.slice(0, 7)}`, 200, { 'content-type': 'application/json' })
    if (fault === 'acceptedThenSilent') return silentReply
    return jsonReply({ id, polling_url: `${this.#baseUrl}/${region}/v1/get_result?id=${id}`, cost: 4, input_mp: 0, output_mp: 1 })
  }

  #look(url: URL): FakeReply {
    const task = this.#tasks.get(url.searchParams.get('id') ?? '')
    if (!task) return jsonReply({ id: '', status: 'Task not found', result: null })
    task.looks += 1
    const fault = this.#fault('look', pollFaults, `${task.id} ${task.looks}`)
    if (fault === 'failed') return jsonReply({ detail: 'Internal Server Error' }, 500)
    if (fault === 'rateLimited') return jsonReply({ detail: 'Too many requests' }, 429, { 'retry-after': '1' })
    if (fault === 'garbage') return rawReply('<html>Bad gateway</html>')
    if (fault === 'reset') return resetReply()
    const { id, fate, index, seed } = task
    const status = Date.now() < task.readyAt ? 'Pending' : fate
    const details = status.endsWith('Moderated') ? { 'Moderation Reasons': ['Violence'] } : null
    const result = status === 'Ready' ? { sample: this.#link(task), prompt: `picture ${index}`, seed, start_time: 1.5, end_time: 8 } : null
    return jsonReply({ id, status, result, progress: status === 'Pending' ? 0.5 : null, details, preview: null })
  }

  /** Returns a new link to the picture of a task. Some links expire before they can be used. */
  #link(task: VendorTask): string {
    task.links += 1
    const fault = this.#fault('link', linkFaults, `${task.id} ${task.links}`)
    const until = Date.now() + (fault === 'none' ? linkLifetimeMs : 0)
    return `${this.#baseUrl}/delivery/${task.id}?until=${until}&status=${fault === 'expiredForbidden' ? 403 : 404}`
  }

  async #deliver(url: URL, { headers }: ReceivedRequest): Promise<FakeReply> {
    const task = this.#tasks.get(url.pathname.split('/').at(-1) ?? '')
    const { until, status } = Object.fromEntries(url.searchParams)
    if (!task || Number(until) <= Date.now()) return jsonReply({ detail: 'Expired' }, Number(status))
    task.downloads += 1
    const fault = this.#fault('download', downloadFaults, `${task.id} ${task.downloads}`)
    if (fault === 'busy') return jsonReply({ detail: 'Service unavailable' }, 503)
    const bytes = await this.picture(task.index)
    // The answer has an ETag, so that a client can request the missing rest of a picture with
    // `if-range`, as it can from a file store.
    const etag = `"${task.id}"`
    const from = headers['if-range'] === etag ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0
    const rest = bytes.subarray(from)
    const range = from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}
    const reported = { etag, ...range, 'content-type': 'application/octet-stream', 'content-length': String(rest.length) }
    const found = from > 0 ? 206 : 200
    return fault === 'brokenOff' ? brokenReply(rest, found, reported) : rawReply(rest, found, reported)
  }

  #fault<Name extends string>(where: string, shares: Readonly<Record<Name, number>>, what: string): Name | 'none' {
    const fault = this.#draws.pick(shares, `${where} ${what}`)
    if (fault === 'none') return fault
    const name = `${where} ${fault}`
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1)
    return fault
  }
}

/** Sends half of the bytes, then resets the connection. */
function brokenReply(bytes: Buffer, status: number, headers: Record<string, string>): FakeReply {
  return async (response, request) => {
    response.writeHead(status, headers)
    await new Promise<void>(resolve => response.write(bytes.subarray(0, bytes.length / 2), () => resolve()))
    await resetReply()(response, request)
  }
}
