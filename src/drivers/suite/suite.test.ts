/** Runs the shared driver suite on a small polled driver of this test. Thus the suite's tests of
 *  tasks and files are themselves tested, independent of a real driver. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { defineDriver, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import Type from 'typebox'
import { errorReply, type FakeReply, hangingReply, jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { createUpstream } from '../shared/upstream/upstream.ts'
import { baseUrlProblem, upstreamTarget } from '../shared/upstream/upstream-target.ts'
import { UrlGuard } from '../shared/upstream/url-guard.ts'
import { driverSuite } from './suite.ts'

const limits = { firstByteMs: 10_000, idleMs: 10_000, timeoutMs: 20_000, maxBytes: 100_000 }

/** Starts a picture with `POST /pictures`, polls `/pictures/<id>` and fetches the linked file. */
const pictures = defineDriver({
  id: 'pictures',
  title: 'Pictures',
  kind: 'upstream',
  settings: Type.Object({ base_url: Type.String(), api_key: Type.String() }),
  open: () => {
    const upstream = createUpstream(directOutbound)
    const guard = new UrlGuard({ outbound: directOutbound, allowPrivate: true })
    const targetOf = ({ base_url, api_key }: JsonObject) => upstreamTarget(String(base_url), { apiKey: String(api_key) })
    return {
      id: 'pictures',
      title: 'Pictures',
      queue: { name: 'pictures', slots: 1 },
      unusable: settings => baseUrlProblem(String(settings.base_url)),
      close: async () => {
        await Promise.all([upstream.close(), guard.close()])
      },
      offers: {
        'image.generate': polled<ImageGenerateRequest>({
          pollEveryMs: 10,
          start: async ({ settings, request, signal }) => {
            const call = { method: 'POST', path: '/pictures', body: { prompt: request.prompt }, signal, ...limits } as const
            const { body } = await upstream.json(targetOf(settings), call)
            return { state: 'started', handle: { id: idOf(body) } }
          },
          check: async ({ settings, scratch, signal }, handle) => {
            const call = { method: 'GET', path: `/pictures/${handle.id}`, signal, ...limits } as const
            const { body } = await upstream.json(targetOf(settings), call)
            const url = Reflect.get(Object(body), 'url')
            if (typeof url !== 'string') return { state: 'running' }
            const path = join(scratch, 'picture.png')
            await guard.download(url, { toFile: path, maxBytes: 1_000_000, signal })
            return { state: 'done', files: [{ path, mediaType: 'image/png' }], report: {}, usage: [{ unit: 'images', units: 1 }] }
          },
        }),
      },
    }
  },
})

function idOf(body: unknown): string {
  const id = Reflect.get(Object(body), 'id')
  if (typeof id !== 'string') throw new GatewayError('upstream_error', 'no id')
  return id
}

const request: ImageGenerateRequest = {
  prompt: 'a cat',
  width: 64,
  height: 64,
  count: 1,
  seed: '1',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}

/** Returns the replies of a successful run. The second host answers every request with the
 *  picture. */
const good = (otherBaseUrl: string): FakeReply[] => [
  jsonReply({ id: 'p1' }),
  jsonReply({ status: 'running' }),
  jsonReply({ url: otherBaseUrl.replace('/v1', '/models') }),
]

driverSuite('a polled driver', {
  driver: pictures,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'image.generate',
  request,
  good: (_baseUrl, otherBaseUrl) => good(otherBaseUrl),
  check: done => assert.equal(done.files.length, 1),
  hanging: hangingReply(['x']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(400, { message: 'moderated', code: 'content_policy_violation' })], code: 'request_moderated' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  relays: { leftOut: 'pictures are no conversation' },
})
