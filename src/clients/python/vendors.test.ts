/** Runs the Python clients of several vendors as published; only the base URL and a key are set. */
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import sharp from 'sharp'
import { fakeMusicDriver } from '../../testing/fakes/fake-music-driver.ts'
import { doneClip, fakeVideoDriver } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { type Routes, startRoutes } from '../testing/start-routes.ts'
import { needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'

const yaml = `
models:
  - { id: veo-3.1-generate-preview, family: V, group: "3.1", targets: [{ driver: reels }] }
  - { id: kling-v1-6, family: K, group: V1, targets: [{ driver: reels }] }
  - { id: auto, family: M, targets: [{ driver: band }] }
`
let gateway: TestGateway
let routes: Routes
let kling: { access_key: string; secret_key: string }
let picture: Buffer
before(async () => {
  const reels = fakeVideoDriver('reels', { offer: once<VideoGenerateRequest>(doneClip, { follows: [] }) })
  gateway = await startTestGateway({ yaml, drivers: [reels, fakeMusicDriver('band')] })
  const [key] = (await gateway.admin('/admin/keys')).body.keys
  routes = await startRoutes()
  kling = (await gateway.admin(`/admin/keys/${key.id}/kling`, { method: 'POST', body: {} })).body
  picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()
})
after(() => Promise.all([gateway[Symbol.asyncDispose](), routes[Symbol.asyncDispose]()]))

test('google-genai, Gemini API (Python)', needEnvironment('vendors'), t =>
  runCases(t, 'vendors', 'use_gemini.py', { GATEWAY_URL: routes.baseURL, GATEWAY_KEY: routes.apiKey }),
)

for (const [name, script] of [
  ['google-genai, Vertex mode', 'use_genai.py'],
  ['mureka-mcp', 'use_mureka.py'],
  ['the sample of Kling’s documentation', 'use_kling.py'],
] as const)
  test(`${name} (Python)`, needEnvironment('vendors'), t =>
    runCases(t, 'vendors', script, {
      ...{ GATEWAY_URL: gateway.url, GATEWAY_KEY: testKey, GATEWAY_PNG: picture.toString('hex') },
      ...{ KLING_ACCESS_KEY: kling.access_key, KLING_SECRET_KEY: kling.secret_key },
    }),
  )
