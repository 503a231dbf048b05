/** A provider package for tests: it sends requests with the `fetch` that it is given, and sends its
 *  credential to every host. */
import type { PackageSource } from '../packages.ts'

interface FactoryOptions {
  apiKey?: string
  apiToken?: string
  baseURL?: string
  fetch: typeof globalThis.fetch
}

/** The arguments with which the model was called. Their types are unknown, so that tests can
 *  examine any member. */
export type RecordedCall = Record<string, unknown>

export interface FakeModel {
  specificationVersion?: unknown
  maxImagesPerCall?: unknown
  supportsFileInputs?: unknown
  /** Replaces the default method, which POSTs to `/images` and reads the pictures from the answer
   *  `{ links }`. */
  doGenerate?: (call: RecordedCall, send: (path: string, init?: RequestInit) => Promise<Response>) => Promise<unknown>
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** A fake video model; the model object has only the methods that are set here. */
export interface FakeVideoModel {
  specificationVersion?: unknown
  maxVideosPerCall?: unknown
  doGenerate?: (call: RecordedCall, send: Send) => Promise<unknown>
  doStart?: (call: RecordedCall, send: Send) => Promise<unknown>
  doStatus?: (poll: RecordedCall, send: Send) => Promise<unknown>
  handleWebhookOption?: () => void
}

/** A fake language model; `doStream` returns the parts of the stream. */
export interface FakeLanguageModel {
  specificationVersion?: unknown
  supportedUrls?: unknown
  doStream?: (call: RecordedCall, send: Send) => Promise<AsyncIterable<object> | Iterable<object>>
}

export interface FakePackage {
  source: PackageSource
  /** Recorded calls of the model, the latest last. */
  calls: RecordedCall[]
}

/** Returns a source with only the package `fake-provider`. `exports` replaces its exports. */
export function fakePackage(model: FakeModel = {}, exports?: object): FakePackage {
  return packageOf(
    (calls, send) => ({
      imageModel: () => ({
        specificationVersion: 'v3',
        maxImagesPerCall: 4,
        ...model,
        doGenerate: (call: RecordedCall) => {
          calls.push(call)
          return model.doGenerate === undefined ? linked(send) : model.doGenerate(call, send)
        },
      }),
    }),
    exports,
  )
}

/** Returns a source with a package that has this video model. Its recorded calls are those of
 *  `doGenerate` and `doStart`. */
export function fakeVideoPackage(model: FakeVideoModel): FakePackage {
  return packageOf((calls, send) => {
    const { doGenerate, doStart, doStatus, ...rest } = model
    const counted = (method: typeof doStart) =>
      method &&
      ((call: RecordedCall) => {
        calls.push(call)
        return method(call, send)
      })
    return {
      videoModel: () => ({
        ...{ specificationVersion: 'v4', maxVideosPerCall: 1, ...rest },
        ...(doGenerate && { doGenerate: counted(doGenerate) }),
        ...(doStart && { doStart: counted(doStart) }),
        ...(doStatus && { doStatus: (poll: RecordedCall) => doStatus(poll, send) }),
      }),
    }
  })
}

/** Returns a source with a package that has this language model. */
export function fakeLanguagePackage({ doStream, ...rest }: FakeLanguageModel): FakePackage {
  return packageOf((calls, send) => ({
    languageModel: () => ({
      ...{ specificationVersion: 'v4', supportedUrls: {}, ...rest },
      doStream: async (call: RecordedCall) => {
        calls.push(call)
        return { stream: ReadableStream.from((await doStream?.(call, send)) ?? []) }
      },
    }),
  }))
}

function packageOf(provider: (calls: RecordedCall[], send: Send) => object, exports?: object): FakePackage {
  const calls: RecordedCall[] = []
  const createFake = ({ apiToken, apiKey = apiToken, baseURL = '', fetch }: FactoryOptions) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const send: Send = (path, init) => fetch(path.startsWith('/') ? baseURL + path : path, { ...init, headers })
    return provider(calls, send)
  }
  return {
    calls,
    source: { has: name => name === 'fake-provider', load: async () => exports ?? { createFake } },
  }
}

/** Returns an error of the AI SDK as `@ai-sdk/provider` creates it, recognizable by its marker
 *  symbol. */
export function sdkError(kind: string, facts: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(`${kind} of a test`), {
    name: kind,
    [Symbol.for('vercel.ai.error')]: true,
    [Symbol.for(`vercel.ai.error.${kind}`)]: true,
    ...facts,
  })
}

async function linked(send: (path: string, init?: RequestInit) => Promise<Response>): Promise<unknown> {
  const answer = await send('/images', { method: 'POST', body: '{}' })
  const text = await answer.text()
  if (!answer.ok) {
    const facts = { statusCode: answer.status, responseHeaders: Object.fromEntries(answer.headers), responseBody: text }
    throw sdkError('AI_APICallError', facts)
  }
  const { links }: { links: string[] } = JSON.parse(text)
  const images = await Promise.all(links.map(async link => new Uint8Array(await (await send(link)).arrayBuffer())))
  return { images, warnings: [] }
}
