/** Simulates the vendor's image interface on a free port. It refuses unknown models and fields;
 *  words in the prompt control its behaviour. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import sharp from 'sharp'

export interface ArkRequest {
  body: JsonObject
  /** True when the vendor's answer was cut before its end. */
  isCut: boolean
  /** Number of pictures made for this request. */
  made: number
}

/** `large` pictures are noise, because noise cannot be compressed and so makes a large file. */
type PictureKind = 'plain' | 'large'

const common = ['model', 'prompt', 'size', 'response_format', 'watermark']
const newer = [
  ...common,
  'image',
  'stream',
  'sequential_image_generation',
  'sequential_image_generation_options',
  'optimize_prompt_options',
]
/** Accepted fields by model; the vendor refuses parameters that a model does not support
 *  (docs/vendors/ark.md#image-models). */
const fieldsOf: Record<string, readonly string[]> = {
  'doubao-seedream-5-0-260128': [...newer, 'tools', 'output_format'],
  'doubao-seedream-4-0-250828': newer,
  'doubao-seedream-3-0-t2i-250415': [...common, 'seed', 'guidance_scale', 'optimize_prompt_options'],
  'doubao-seededit-3-0-i2i-250628': [...common, 'image', 'seed', 'guidance_scale'],
}

/** A simulated vendor. Words in a prompt control its behaviour: `refuse-1` withholds picture 1
 *  (`refuse-all` all pictures), `fail-1` fails at picture 1, and `cut-2` cuts the connection before
 *  picture 2. With `limit`, `break` and `forbidden` it answers with an error. */
export class SimulatedArk {
  readonly requests: ArkRequest[] = []
  readonly #key: string
  readonly #server: Server
  readonly #files: Readonly<Record<PictureKind, Buffer>>
  readonly #waits = new Map<string, Promise<void>>()

  private constructor(key: string, files: Record<PictureKind, Buffer>) {
    this.#key = key
    this.#files = files
    this.#server = createServer((request, reply) => {
      this.#answer(request, reply).catch(() => reply.destroy())
    })
  }

  /** Starts the simulation and resolves once it listens. The simulation accepts only requests with
   *  this API key. */
  static async start(key: string): Promise<SimulatedArk> {
    const ark = new SimulatedArk(key, { plain: await pictureOf('plain'), large: await pictureOf('large') })
    ark.#server.listen(0, '127.0.0.1')
    await once(ark.#server, 'listening')
    return ark
  }

  get baseUrl(): string {
    return `${originOf(this.#server)}/api/v3`
  }

  /** Returns the bytes of a picture: the first one is plain, all others are large. */
  picture(index: number): Buffer {
    return this.#files[index === 0 ? 'plain' : 'large']
  }

  /** Makes requests whose prompt contains this word wait for the promise before each picture except
   *  the first. */
  holdBack(word: string, until: Promise<void>): void {
    this.#waits.set(word, until)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', originOf(this.#server))
    if (request.method === 'GET') {
      const [, kind = ''] = /^\/files\/(plain|large)-\d+\.jpeg$/.exec(pathname) ?? []
      assert.equal(request.headers.authorization, undefined, 'the key went to the store')
      reply.end(this.#files[kind === 'large' ? 'large' : 'plain'])
      return
    }
    assert.equal(pathname, '/api/v3/images/generations')
    // The body is read before a refusal, so that the client can send all of it.
    const body = (await json(request)) as JsonObject
    if (request.headers.authorization !== `Bearer ${this.#key}`) return refuse(reply, 401, 'AuthenticationError', 'Unauthorized')
    const known = fieldsOf[String(body.model)]
    if (known === undefined) return refuse(reply, 404, 'InvalidEndpointOrModel.NotFound', 'NotFound')
    const unknown = Object.keys(body).find(name => !known.includes(name))
    if (unknown !== undefined) return refuse(reply, 400, 'InvalidParameter.UnsupportedParameter', 'BadRequest', unknown)
    await this.#make(body, reply)
  }

  async #make(body: JsonObject, reply: ServerResponse): Promise<void> {
    const seen: ArkRequest = { body, isCut: false, made: 0 }
    this.requests.push(seen)
    reply.on('close', () => {
      seen.isCut = !reply.writableFinished
    })
    const prompt = String(body.prompt)
    if (prompt.includes('limit')) return refuse(reply, 429, 'ModelAccountIpmRateLimitExceeded', 'TooManyRequests')
    if (prompt.includes('break')) return refuse(reply, 500, 'InternalServiceError', 'InternalServerError')
    if (prompt.includes('forbidden')) return refuse(reply, 400, 'InputTextSensitiveContentDetected', 'BadRequest')
    if (body.stream === true) return this.#streamGroup(reply, seen)
    const isSecond = this.requests.filter(each => each.body.prompt === prompt).length === 2
    if (prompt.includes('refuse-all') || (prompt.includes('refuse-nth') && isSecond))
      return refuse(reply, 400, 'OutputImageSensitiveContentDetected', 'BadRequest')
    seen.made = 1
    const data = [{ url: this.#urlOf(prompt, 0), size: '640x320' }]
    send(reply, 200, { model: body.model, created: 1_795_000_000, data, usage: usageOf(1) })
  }

  async #streamGroup(reply: ServerResponse, seen: ArkRequest): Promise<void> {
    const { prompt: given, model, sequential_image_generation_options: options } = seen.body
    const prompt = String(given)
    const [, wait] = [...this.#waits].find(([word]) => prompt.includes(word)) ?? []
    const most = Number(Object(options).max_images)
    const event = (type: string, data: object) =>
      void reply.write(
        `event: image_generation.${type}\ndata: ${JSON.stringify({ type: `image_generation.${type}`, model, created: 1_795_000_000, ...data })}\n\n`,
      )
    const at = (word: string) => Number(new RegExp(`${word}-(\\d+)`).exec(prompt)?.[1] ?? -1)
    reply.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'ark-1' })
    for (let index = 0; index < most && !reply.destroyed; index++) {
      if (index > 0) await wait
      if (at('cut') === index) {
        // The connection must not end before the socket has sent the earlier data, so this waits
        // for the write.
        await new Promise<void>(resolve => reply.write(': the last words\n\n', () => resolve()))
        return void reply.socket?.destroy()
      }
      const error = (code: string) => ({ image_index: index, error: { code, message: `No picture. Request id: ark-1` } })
      if (at('fail') === index) {
        event('partial_failed', error('InternalServiceError'))
        break
      }
      if (at('refuse') === index || prompt.includes('refuse-all')) {
        event('partial_failed', error('OutputImageSensitiveContentDetected'))
        continue
      }
      seen.made++
      event('partial_succeeded', { image_index: index, url: this.#urlOf(prompt, index), size: '640x320' })
    }
    event('completed', { usage: usageOf(seen.made) })
    reply.end('data: [DONE]\n\n')
  }

  #urlOf(prompt: string, index: number): string {
    return `${originOf(this.#server)}/files/${prompt.includes('large') ? 'large' : 'plain'}-${index}.jpeg`
  }
}

function usageOf(made: number): object {
  return { generated_images: made, output_tokens: 800 * made, total_tokens: 800 * made }
}

function refuse(reply: ServerResponse, status: number, code: string, type: string, param = ''): void {
  send(reply, status, { error: { code, message: `Refused. Request id: ark-1`, param, type } }, status === 429 ? { 'retry-after': '9' } : {})
}

function send(reply: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function pictureOf(kind: PictureKind): Promise<Buffer> {
  const size = kind === 'plain' ? { width: 640, height: 320 } : { width: 1600, height: 1200 }
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const picture = sharp({ create: { ...size, channels: 3, background: '#b0502c', ...(kind === 'large' ? { noise } : {}) } })
  return picture.jpeg({ quality: 95 }).toBuffer()
}

function originOf(server: Server): string {
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}
