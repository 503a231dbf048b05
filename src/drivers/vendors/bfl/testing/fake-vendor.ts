/** A fake of the vendor (docs/vendors/bfl.md): it checks the fields of requests, keeps tasks, and
 *  answers with signed links that expire. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testSecret } from './run.ts'

interface VendorTask {
  id: string
  model: string
  body: Record<string, unknown>
  looks: number
}

export interface FakeVendor {
  /** Address of the fake vendor: `http://127.0.0.1:<port>`. */
  baseUrl: string
  tasks: VendorTask[]
  /** Number of submits received, whether accepted or refused. */
  submits: number
  /** Number of requests for a picture that contained an API key; a link needs none. */
  leaks: number
  /** Number of polls before a task is ready. */
  looksUntilReady: number
  /** Number of links that the fake vendor treats as expired from now on. */
  expiredLinks: number
  /** When true, the connection of a submit is cut after the task was created. */
  dropsAnswers: boolean
  close(): Promise<void>
}

type Check = [field: string, isFine: (value: unknown) => boolean]

const isSide = (least: number, most: number, step: number) => (value: unknown) =>
  typeof value === 'number' && value >= least && value <= most && value % step === 0
const common: Check[] = [
  ['prompt', value => typeof value === 'string'],
  ['seed', value => typeof value === 'number'],
  ['output_format', value => value === 'jpeg' || value === 'png'],
  ['safety_tolerance', value => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 6],
  ['prompt_upsampling', value => typeof value === 'boolean'],
]
const checks: Record<string, Check[]> = {
  'flux-pro-1.1': [...common, ['width', isSide(256, 1440, 32)], ['height', isSide(256, 1440, 32)]],
  'flux-2-pro': [...common, ['width', isSide(64, 65_536, 16)], ['height', isSide(64, 65_536, 16)]],
  'flux-kontext-pro': [...common, ['aspect_ratio', value => value === undefined || /^\d+:\d+$/.test(String(value))]],
}

/** Returns the fields of a submit that the vendor would refuse; undefined for an unknown model. */
export function wrongFields(model: string, body: Record<string, unknown>): string[] | undefined {
  return checks[model]?.filter(([field, isFine]) => !isFine(body[field])).map(([field]) => field)
}

/** Starts a fake vendor. `draw` returns the bytes of a picture. */
export async function startFakeVendor(draw: (task: VendorTask) => Promise<Buffer>): Promise<FakeVendor> {
  const server = createServer((request, response) => {
    answer(vendor, draw, { request, response }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  const { port } = server.address() as AddressInfo
  const vendor: FakeVendor = {
    baseUrl: `http://127.0.0.1:${port}`,
    tasks: [],
    submits: 0,
    leaks: 0,
    looksUntilReady: 1,
    expiredLinks: 0,
    dropsAnswers: false,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return vendor
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

async function answer(vendor: FakeVendor, draw: (task: VendorTask) => Promise<Buffer>, { request, response }: Exchange): Promise<void> {
  const url = new URL(request.url ?? '', vendor.baseUrl)
  const task = vendor.tasks.find(({ id }) => id === (url.searchParams.get('id') ?? url.pathname.split('/').at(-1)))
  if (url.pathname.startsWith('/delivery/')) return deliver(vendor, draw, { request, response, task })
  if (request.headers['x-key'] !== testSecret) return reply(response, 403, { detail: 'Not authenticated' })
  if (request.method === 'POST') return accept(vendor, url.pathname.replace('/v1/', ''), { request, response })
  if (url.pathname !== '/v1/get_result') return reply(response, 404, { detail: 'Not Found' })
  if (task === undefined) return reply(response, 200, { id: '', status: 'Task not found', result: null })
  task.looks++
  const { id } = task
  const isReady = task.looks > vendor.looksUntilReady
  const sample = `${vendor.baseUrl}/delivery/${id}?sig=${task.looks}`
  const result = isReady ? { sample, prompt: task.body.prompt, seed: task.body.seed, start_time: 1.5, end_time: 8, duration: 6.5 } : null
  const progress = isReady ? null : 0.5
  reply(response, 200, { id, status: isReady ? 'Ready' : 'Pending', result, progress, details: null, preview: null })
}

async function accept(vendor: FakeVendor, model: string, { request, response }: Exchange): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  vendor.submits++
  const body: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString())
  const wrong = wrongFields(model, body)
  if (wrong === undefined) return reply(response, 404, { detail: 'Not Found' })
  if (wrong.length > 0) {
    const detail = wrong.map(field => ({ loc: ['body', field], msg: 'out of range', type: 'value_error' }))
    return reply(response, 422, { detail })
  }
  const id = createHash('sha256').update(String(vendor.submits)).digest('hex').slice(0, 32)
  vendor.tasks.push({ id, model, body, looks: 0 })
  if (vendor.dropsAnswers) response.socket?.resetAndDestroy()
  else reply(response, 200, { id, polling_url: `${vendor.baseUrl}/v1/get_result?id=${id}`, cost: 4, input_mp: 0, output_mp: 1 })
}

async function deliver(
  vendor: FakeVendor,
  draw: (task: VendorTask) => Promise<Buffer>,
  { request, response, task }: Exchange & { task: VendorTask | undefined },
): Promise<void> {
  if (request.headers['x-key'] !== undefined) vendor.leaks++
  if (task === undefined) return reply(response, 404, {})
  if (vendor.expiredLinks > 0) {
    vendor.expiredLinks--
    return reply(response, 403, { detail: 'expired' })
  }
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  response.end(await draw(task))
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
