/** Python clients of vendors, unchanged and with only the base URL and a key. */
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import sharp from 'sharp'
import { fakeMusicDriver } from '../../testing/fake-music-driver.ts'
import { doneClip, fakeVideoDriver } from '../../testing/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'

const yaml = `
models:
  - { id: veo-3.1-generate-preview, family: V, group: "3.1", targets: [{ driver: reels }] }
  - { id: auto, family: M, targets: [{ driver: band }] }
`
let gateway: TestGateway
before(async () => {
  const reels = fakeVideoDriver('reels', { offer: once<VideoGenerateRequest>(doneClip, { follows: [] }) })
  gateway = await startTestGateway({ yaml, drivers: [reels, fakeMusicDriver('band')] })
})
after(() => gateway[Symbol.asyncDispose]())

for (const [name, script] of [
  ['google-genai, Vertex mode', 'use_genai.py'],
  ['mureka-mcp', 'use_mureka.py'],
] as const)
  test(`${name} (Python)`, needEnvironment('vendors'), async t => {
    const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#3060c0' } })
      .png()
      .toBuffer()
    await runCases(t, 'vendors', script, { GATEWAY_URL: gateway.url, GATEWAY_KEY: testKey, GATEWAY_PNG: picture.toString('hex') })
  })
