/** Starts a gateway whose models are on fake upstreams, and provides an HTTP client that can
 *  also send what ordinary clients never send. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { SQLOutputValue } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeUpstream, startFakeUpstream } from './fakes/fake-upstream.ts'
import { type Answer, startTestGateway, type TestGateway, type TestOptions, testKey } from './gateway.ts'
import { rowsOfCalls } from './load/ledger-rows.ts'

/** The credential of the targets in `relayYaml`. */
export const upstreamKey = 'sk-upstream-secret-1'

export interface RelayGateway {
  gateway: TestGateway
  upstreams: FakeUpstream[]
  /** The first upstream. */
  upstream: FakeUpstream
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts `count` upstreams, and a gateway whose configuration `yaml` creates from the
 *  upstreams' base URLs. */
export async function startRelayGateway(
  yaml: (...baseUrls: string[]) => string = url => relayYaml([{ url }]),
  { count = 1, ...options }: Omit<TestOptions, 'yaml'> & { count?: number } = {},
): Promise<RelayGateway> {
  const upstreams = await Promise.all(Array.from({ length: count }, () => startFakeUpstream()))
  const gateway = await startTestGateway({ ...options, yaml: yaml(...upstreams.map(each => each.baseUrl)) })
  return {
    gateway,
    upstreams,
    upstream: upstreams[0]!,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await Promise.all(upstreams.map(each => each.close()))
    },
  }
}

interface YamlTarget {
  url: string
  protocols?: string
  dialect?: string
  /** True for an upstream that stores no responses. With `ask`, the configuration does not say
   *  so, and the gateway has to find out. Default false. */
  stateless?: boolean | 'ask'
}

/** Returns the text of a configuration file with the model `m` for chat and Responses. The model's
 *  targets are tried in the order of the list; upstreams know the model as `up-1`. */
export function relayYaml(targets: readonly YamlTarget[]): string {
  const lines = targets.map(
    ({ url, protocols = 'chat, responses', dialect = 'openai', stateless = false }, index) =>
      `      - { driver: openai-compatible, base_url: "${url}", api_key: ${upstreamKey}, model: up-1, dialect: ${dialect}, protocols: [${protocols}], ${stateless === 'ask' ? '' : `stateless: ${stateless}, `}order: ${index + 1} }\n`,
  )
  return `models:\n  - id: m\n    family: [chat, responses]\n    targets:\n${lines.join('')}`
}

export interface RequestOptions {
  method?: string
  /** The body. A list is sent in chunks, one for each piece. */
  body?: Buffer | string | readonly Buffer[]
  key?: string
  headers?: OutgoingHttpHeaders
  /** Closes the connection when it is aborted. */
  signal?: AbortSignal
}

/** Sends a request and resolves when the head of the answer has arrived; the caller reads or
 *  destroys the answer. Every request has a connection of its own. */
export async function begin(
  url: string,
  { method = 'POST', body, key = testKey, headers, signal }: RequestOptions,
): Promise<IncomingMessage> {
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  const sent = request(url, {
    method,
    agent: false,
    ...(signal ? { signal } : {}),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isWhole ? { 'content-length': Buffer.byteLength(body) } : {}),
      ...headers,
    },
  })
  if (isWhole) sent.write(body)
  else for (const piece of body ?? []) sent.write(piece)
  sent.end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (!response) throw new TypeError('a response event carries the response')
  return response
}

export interface WholeAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends a request and reads the whole answer. */
export async function exchange(url: string, sending: RequestOptions): Promise<WholeAnswer> {
  const response = await begin(url, sending)
  const text = (await buffer(response)).toString()
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

/** Returns the records of calls in the store, oldest first (`rowsOfCalls`). */
export function callRows({ dataDir }: Pick<TestGateway, 'dataDir'>): Promise<Record<string, SQLOutputValue>[]> {
  return rowsOfCalls(dataDir, 'at, calls.id')
}

/** Waits until the record of the call that got this answer is in the store, and returns it. */
export function recordOf(
  { dataDir }: Pick<TestGateway, 'dataDir'>,
  { headers }: Pick<Answer, 'headers'>,
): Promise<Record<string, SQLOutputValue>> {
  const id = headers.get('x-request-id')
  return until(async () => (await callRows({ dataDir })).find(row => row.request_id === id), `the record of ${id}`)
}

/** Returns the states of the circuit breakers that `/readyz` shows, one for each target of the
 *  model that was tried. */
export async function breakers({ gateway }: RelayGateway, model = 'm'): Promise<string[]> {
  const { targets } = (await (await fetch(`${gateway.url}/readyz`)).json()) as { targets: { target: string; state: string }[] }
  return targets.filter(({ target }) => target.startsWith(`${model}#`)).map(({ state }) => state)
}
