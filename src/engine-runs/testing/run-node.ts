import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done, Job, Offer, Offers } from '@generation-gateway/kit/requests/job.ts'
import { Connections } from '../../http/connection/connections.ts'
import { createWrongKeys } from '../../http/connection/wrong-keys.ts'
import { Exchange } from '../../http/request/exchange.ts'
import { RunPlaces } from '../run-places.ts'
import { RunTokens, runTokenKey } from '../run-token.ts'
import { createRunAgent, type RemotePart, sendRun } from '../send-run.ts'
import { serveRuns } from '../serve-runs.ts'

export type AnyOffer = Offer<JsonObject, object>

export const secret = Buffer.alloc(32, 7)

/** Starts a node with the engine `e`, which offers `image.generate`; returns it with the
 *  functions to run the engine there. */
export async function setUp(
  context: TestContext,
  offer: AnyOffer = once(async () => done),
  { slots = 4, accountSlots = 4, silenceMs = 10_000, graceMs = 10_000, mostPerKey = 1_000 } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-runs-'))
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  const duty: { reason: string | undefined } = { reason: undefined }
  const places = new RunPlaces({ slots, accountSlots })
  // The cast is needed because the type `Offers` ties the request type to the capability, and
  // `AnyOffer` does not.
  const offers = { 'image.generate': offer } as Offers
  const queue = { name: 'engine:e', slots, accountSlots }
  const state = { address: '' }
  const errors: string[] = []
  const connections = new Connections({ most: 1_000, mostPerKey, mostPerAddress: 1_000 })
  const handler = serveRuns({
    tokens: new RunTokens([runTokenKey(secret)], clock, () => state.address),
    engines: new Map([['e', { id: 'e', title: 'E', queue, offers }]]),
    places: new Map([['e', places]]),
    duty,
    blobs: { scratch: name => mkdtemp(join(folder, `${name}-`)) },
    subRequests: () => async () => undefined,
    http: { connections, wrongKeys: createWrongKeys(clock) },
    log: { info: () => {}, warn: () => {}, error: (_fields, message) => void errors.push(message) },
    ...{ silenceMs, graceMs },
  })
  const server = createServer()
  connections.watch(server, (request, response) => void handler(new Exchange(request, response, false)))
  let opened = 0
  server.on('connection', () => {
    opened += 1
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  state.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = createRunAgent()
  context.after(async () => {
    await agent.destroy()
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const node = { id: 'n1', name: 'east', address: state.address }
  const job = async (changes: Partial<Job<JsonObject>> = {}): Promise<Job<JsonObject>> => ({
    ...{ id: 'task', account: 'acme', key: 'key_1', request: { prompt: 'a hill' }, inputs: [], model: 'm', settings: { seed: 1 } },
    ...{ attempt: 1, scratch: await mkdtemp(join(folder, 'caller-')), signal: new AbortController().signal, progress: () => {} },
    ...changes,
  })
  const sender = { key: runTokenKey(secret), from: 'api', clock, agent }
  const run = (given: Job<JsonObject>) => sendRun(sender, node, { engine: 'e', capability: 'image.generate', job: given })
  /** Returns the number of connections that the HTTP client may use for the next run. */
  const freeConnections = () => {
    const stats = agent.stats[state.address]
    return stats !== undefined && 'free' in stats ? stats.free : 0
  }
  return { folder, clock, duty, places, node, job, run, server, errors, connections: () => opened, freeConnections }
}

export async function all(parts: AsyncIterable<RemotePart>): Promise<RemotePart[]> {
  const found: RemotePart[] = []
  for await (const part of parts) found.push(part)
  return found
}

export const done: Done = { state: 'done', files: [], report: {}, usage: [] }

/** Starts a server that stands in for a node; returns its address. */
export async function listening(context: TestContext, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns a function that runs a job on a node which answers every request with `answer`. */
export async function lyingNode(context: TestContext, answer: (response: ServerResponse) => void) {
  const address = await listening(context, answer)
  const agent = createRunAgent()
  context.after(() => agent.destroy())
  const sender = { key: runTokenKey(secret), from: 'api', clock: { now: Date.now }, agent }
  return (job: Job<JsonObject>) => sendRun(sender, { id: 'n', name: 'east', address }, { engine: 'e', capability: 'image.generate', job })
}
