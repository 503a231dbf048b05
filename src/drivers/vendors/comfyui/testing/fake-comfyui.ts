/** A fake ComfyUI server without a model. Its queue, history, uploads and outputs have the formats
 *  of the real server.py and execution.py. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'

type Graph = JsonObject
/** An item of the queue: `[number, id, workflow, extra data, outputs]`. */
type QueueItem = [number: number, id: string, graph: Graph, extra: JsonObject, outputs: string[]]

interface Received {
  method: string
  path: string
  authorization: string | undefined
  text: string
}

export class FakeComfyUi {
  readonly received: Received[] = []
  readonly pending: QueueItem[] = []
  readonly running: QueueItem[] = []
  readonly history = new Map<string, object>()
  /** Bytes of output files by name. */
  readonly outputs = new Map<string, Buffer>()
  /** Bytes of uploaded pictures, by the name that a LoadImage node uses. */
  readonly uploads = new Map<string, Buffer>()
  /** False simulates an older server, which ignores requested prompt ids and assigns its own. */
  takesPromptIds = true
  /** Answer to the next submit; when set, that submit is refused. */
  refusal: object | undefined
  /** The `node_errors` in the answers to accepted submits. */
  nodeErrors: object = {}
  /** Number of further submits that are accepted, but whose connection is cut without an answer. */
  dropsAnswers = 0
  /** Number of further downloads of outputs that are cut in the middle. */
  breaksViews = 0
  /** URL to which requests for /view are redirected. */
  viewRedirect: string | undefined
  /** Called before GET /queue is answered. */
  onQueue: () => void = () => {}
  #number = 0
  readonly #server: Server

  constructor() {
    this.#server = createServer((message, response) => {
      this.#serve(message, response).catch(() => message.socket.destroy())
    })
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get baseUrl(): string {
    // The cast is safe: the server listens on a host and port, so the address is neither null nor a
    // path.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  requests(path: string): Received[] {
    return this.received.filter(request => request.path.split('?', 1)[0] === path)
  }

  /** Adds a prompt of another client to the queue, with this number. */
  queueOther(number: number, id: string): void {
    this.pending.push([number, id, {}, { client_id: 'somebody' }, ['9']])
  }

  /** Starts the next prompt of the queue. */
  begin(): void {
    this.pending.sort(([a], [b]) => a - b)
    const next = this.pending.shift()
    if (next) this.running.push(next)
  }

  /** Ends the running prompt. `pictures` lists its output pictures by node. */
  finish(pictures: Record<string, { filename: string; bytes: Buffer; type?: string; subfolder?: string }[]>): void {
    const outputs: Record<string, object> = {}
    for (const [node, list] of Object.entries(pictures)) {
      for (const { filename, bytes } of list) this.outputs.set(filename, bytes)
      outputs[node] = { images: list.map(({ filename, type = 'output', subfolder = '' }) => ({ filename, subfolder, type })) }
    }
    this.#end(outputs, { status_str: 'success', completed: true, messages: [['execution_success', {}]] })
  }

  /** Ends the running prompt with a failure event such as `execution_error`. */
  fail(event: string, facts: object): void {
    this.#end(
      {},
      {
        status_str: 'error',
        completed: false,
        messages: [
          ['execution_start', {}],
          [event, facts],
        ],
      },
    )
  }

  /** Clears queue and history. The real server loses both at a restart, because it keeps them only
   *  in memory. */
  forget(): void {
    this.pending.length = 0
    this.running.length = 0
    this.history.clear()
  }

  #end(outputs: object, status: object): void {
    const item = this.running.shift()
    if (item) this.history.set(item[1], { prompt: item, outputs, status, meta: {} })
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { method = '', url: path = '', headers } = message
    this.received.push({ method, path, authorization: headers.authorization, text: body.toString() })
    const url = new URL(path, 'http://fake')
    const [, head = '', id] = url.pathname.split('/')
    switch (`${method} /${head}`) {
      case 'GET /history':
        return reply(response, this.#historyOf(id))
      case 'GET /queue':
        this.onQueue()
        return reply(response, { queue_running: this.running, queue_pending: this.pending })
      case 'POST /prompt':
        return this.#take(response, objectOf(JSON.parse(body.toString())))
      case 'POST /queue':
        this.#delete(objectOf(JSON.parse(body.toString())))
        return void response.writeHead(200).end()
      case 'POST /interrupt':
        this.#interrupt(objectOf(JSON.parse(body.toString())))
        return void response.writeHead(200).end()
      case 'POST /upload':
        return reply(response, this.#upload(body, headers['content-type'] ?? ''))
      case 'GET /view':
        return this.#view(response, url.searchParams)
    }
    response.writeHead(404).end('404: Not Found')
  }

  #historyOf(id: string | undefined): object {
    if (id === undefined) return Object.fromEntries(this.history)
    const entry = this.history.get(id)
    return entry === undefined ? {} : { [id]: entry }
  }

  #take(response: ServerResponse, { prompt, prompt_id: wanted, client_id }: JsonObject): void {
    if (this.refusal) {
      reply(response, this.refusal, 400)
      return
    }
    const id = this.takesPromptIds && typeof wanted === 'string' ? wanted : randomUUID()
    this.#number += 1
    this.pending.push([this.#number, id, objectOf(prompt), client_id === undefined ? {} : { client_id }, ['9']])
    if (this.dropsAnswers > 0) {
      this.dropsAnswers -= 1
      response.socket?.destroy()
      return
    }
    reply(response, { prompt_id: id, number: this.#number, node_errors: this.nodeErrors })
  }

  #delete({ delete: ids }: JsonObject): void {
    if (!Array.isArray(ids)) return
    const kept = this.pending.filter(([, id]) => !ids.includes(id))
    this.pending.splice(0, this.pending.length, ...kept)
  }

  #interrupt({ prompt_id: id }: JsonObject): void {
    const [running] = this.running
    if (running && (id === undefined || running[1] === id)) this.fail('execution_interrupted', { prompt_id: running[1], node_id: '3' })
  }

  #upload(body: Buffer, contentType: string): object {
    const boundary = contentType.split('boundary=')[1] ?? ''
    const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1)
    for (const part of parts) {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      const name = /filename="([^"]+)"/.exec(head)?.[1]
      if (name === undefined) continue
      this.uploads.set(name, Buffer.from(rest.join('\r\n\r\n').slice(0, -2), 'latin1'))
      return { name, subfolder: '', type: 'input' }
    }
    throw new Error('no file in the form')
  }

  async #view(response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (this.viewRedirect !== undefined) return void response.writeHead(302, { location: this.viewRedirect }).end()
    const bytes = this.outputs.get(query.get('filename') ?? '')
    if (!bytes) return void response.writeHead(404).end()
    if (this.breaksViews > 0) {
      this.breaksViews -= 1
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 20), () => response.socket?.destroy())
      return
    }
    // The real server derives the content type from the file name.
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    response.end(bytes)
  }
}

function reply(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
