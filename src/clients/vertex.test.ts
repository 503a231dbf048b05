/** Runs published JavaScript clients of Veo (Google's video model): Google's own client in its
 *  Vertex mode, and the AI SDK. Only the base URL and a key are set. */
// Client: google-genai (npm @google/genai): generateVideo, getVideoOperation.
// Client: AI SDK (npm ai, npm @ai-sdk/google-vertex): generateVideo, getVideoOperation.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createGoogleVertex } from '@ai-sdk/google-vertex'
import { once } from '@generation-gateway/kit/driver.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { type GenerateVideosConfig, GoogleGenAI } from '@google/genai'
import { APICallError, experimental_generateVideo as generateVideo } from 'ai'
import { doneClip, fakeVideoDriver, tinyMp4, type VideoJob } from '../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const model = 'veo-3.1-generate-preview'
const prompt = 'a ferry leaves a pier'
const jobs: VideoJob[] = []
let gateway: TestGateway
before(async () => {
  const run = (job: VideoJob) => {
    jobs.push(job)
    return doneClip(job)
  }
  const drivers = [fakeVideoDriver('reels', { offer: once<VideoGenerateRequest>(run, { follows: [] }) })]
  const yaml = `models: [{ id: ${model}, family: V, group: "3.1", targets: [{ driver: reels }] }]`
  gateway = await startTestGateway({ drivers, yaml })
})
after(() => gateway[Symbol.asyncDispose]())

const clip = (index = 0) => tinyMp4(`video ${index}: ${prompt}`)

/** Creates videos with Google's client, polling as Google's samples do, and returns them. */
async function madeByGoogle(client: GoogleGenAI, config: GenerateVideosConfig) {
  let operation = await client.models.generateVideos({ model, source: { prompt }, config })
  while (!operation.done) operation = await client.operations.getVideosOperation({ operation })
  return operation.response?.generatedVideos?.map(({ video }) => video)
}

test('google-genai in Vertex mode makes videos with a key alone', async () => {
  for (const apiVersion of ['v1', 'v1beta1']) {
    const client = new GoogleGenAI({ vertexai: true, apiKey: testKey, httpOptions: { baseUrl: gateway.url, apiVersion } })
    const config = { numberOfVideos: 2, durationSeconds: 4, aspectRatio: '9:16', personGeneration: 'allow_adult' }
    const videos = await madeByGoogle(client, config)
    assert.deepEqual(
      videos,
      [0, 1].map(index => ({ videoBytes: clip(index).toString('base64'), mimeType: 'video/mp4' })),
    )
    const { width, height, seconds } = jobs.at(-1)!.request
    assert.deepEqual([width, height, seconds], [720, 1280, 4])
  }
})

test('google-genai reports a refusal as its own error', async () => {
  const client = new GoogleGenAI({ vertexai: true, apiKey: 'wrong', httpOptions: { baseUrl: gateway.url } })
  await assert.rejects(client.models.generateVideos({ model, source: { prompt } }), { name: 'ApiError', status: 401 })
})

test('the AI SDK makes videos with both forms of its base URL', async () => {
  for (const at of ['v1/publishers/google', 'v1beta1/projects/my-project/locations/us-central1/publishers/google']) {
    const vertex = createGoogleVertex({ baseURL: `${gateway.url}/${at}`, apiKey: testKey })
    const { videos } = await generateVideo({
      ...{ model: vertex.video(model), prompt, n: 2, aspectRatio: '16:9', resolution: '1920x1080', duration: 6, seed: 3 },
      providerOptions: { vertex: { personGeneration: 'allow_adult' } },
      poll: { intervalMs: 20 },
    })
    assert.deepEqual(
      videos.map(({ uint8Array, mediaType }) => [Buffer.from(uint8Array), mediaType]),
      [0, 1].map(index => [clip(index), 'video/mp4']),
    )
    const { width, height, seconds, seed } = jobs.at(-1)!.request
    assert.deepEqual([width, height, seconds, seed], [1920, 1080, 6, '3'])
  }
})

test('the AI SDK reads a refusal', async () => {
  const vertex = createGoogleVertex({ baseURL: `${gateway.url}/v1/publishers/google`, apiKey: testKey })
  await assert.rejects(generateVideo({ model: vertex.video('veo-none'), prompt, maxRetries: 0 }), error => {
    assert.ok(APICallError.isInstance(error), String(error))
    assert.equal(error.statusCode, 404)
    assert.match(error.message, /^There is no model "veo-none"/)
    return true
  })
})
