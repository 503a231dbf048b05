/** Runs samples of OpenAI's guides against a gateway without configuration. The samples use
 *  OpenAI's names of models and voices; only the base URL and the key are changed. OpenAI publishes
 *  each sample in JavaScript and in Python. To save time, samples that keep an engine busy for
 *  seconds run in one language only: the translation in JavaScript; videos and transcriptions
 *  (streamed, or with times) in Python. */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { probeVideo } from '@generation-gateway/kit/video/probe.ts'
import OpenAI from 'openai'
import sharp from 'sharp'
import { needPack } from '../../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { needEnvironment } from '../python/testing/environments.ts'
import { runCases } from '../python/testing/run-cases.ts'

const needsText = needPack('text-0.5b')
const needsVoices = { ...needPack('speech-kokoro'), ...needPack('whisper-base'), ...needPack('whisper-program') }
const references = { 'body-lotion': '#e0a0b0', 'bath-bomb': '#60a0d0', 'incense-kit': '#806040', soap: '#80c080' }

let gateway: TestGateway
let openai: OpenAI
let folder: string
const at = (name: string) => join(folder, name)
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'))
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testKey })
  for (const [name, background] of Object.entries(references))
    await sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .png()
      .toFile(at(`${name}.png`))
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('JavaScript: chat works whole and streamed', needsText, async () => {
  const completion = await openai.chat.completions.create({
    messages: [
      { role: 'developer', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'What is the capital of France?' },
    ],
    model: 'gpt-4o-mini',
  })
  assert.match(completion.choices[0]?.message.content ?? '', /Paris/)
  const stream = await openai.chat.completions.create({
    model: 'gpt-4.1',
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
    stream: true,
  })
  const words: string[] = []
  for await (const chunk of stream) words.push(chunk.choices[0]?.delta?.content ?? '')
  assert.match(words.join(''), /Paris/)
  assert.ok(words.length > 3, 'it streams')
})

test('JavaScript: responses work whole and streamed', needsText, async () => {
  const response = await openai.responses.create({ model: 'gpt-5', input: 'What is the capital of France?' })
  assert.match(response.output_text, /Paris/)
  const stream = await openai.responses.create({
    model: 'gpt-5-mini',
    input: [{ role: 'user', content: 'What is the capital of France?' }],
    stream: true,
  })
  let words = ''
  for await (const event of stream) if (event.type === 'response.output_text.delta') words += event.delta
  assert.match(words, /Paris/)
})

test('JavaScript: gpt-image-1 and dall-e-3 draw pictures, and one is made of several references', async () => {
  const drawn = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A cute baby sea otter', n: 1, size: '1024x1024' })
  await writeFile(at('js-otter.png'), Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64'))
  assert.equal(await seen(at('js-otter.png')), 'png 1024x1024')
  const linked = await openai.images.generate({ model: 'dall-e-3', prompt: 'a white siamese cat', n: 1, size: '1024x1024' })
  assert.equal(await seen(await fetched(linked.data?.[0]?.url)), 'png 1024x1024')
  const images = await Promise.all(
    Object.keys(references).map(name => OpenAI.toFile(createReadStream(at(`${name}.png`)), null, { type: 'image/png' })),
  )
  const prompt =
    'Generate a photorealistic image of a gift basket labeled "Relax & Unwind" containing all the items in the reference pictures.'
  const basket = await openai.images.edit({ model: 'gpt-image-1', image: images, prompt })
  await showsReferences(Buffer.from(basket.data?.[0]?.b64_json ?? '', 'base64'))
})

test('JavaScript: a text is spoken by coral, transcribed and translated', needsVoices, async () => {
  const mp3 = await openai.audio.speech.create({
    model: 'gpt-4o-mini-tts',
    voice: 'coral',
    input: 'Today is a wonderful day to build something people love!',
    instructions: 'Speak in a cheerful and positive tone.',
  })
  await writeFile(at('js-speech.mp3'), Buffer.from(await mp3.arrayBuffer()))
  const transcription = await openai.audio.transcriptions.create({
    file: createReadStream(at('js-speech.mp3')),
    model: 'gpt-4o-transcribe',
  })
  assert.match(transcription.text, /wonderful day to build something/)
  const input = 'Guten Tag. Mein Name ist Wolfgang und ich komme aus Deutschland.'
  const german = await openai.audio.speech.create({ model: 'tts-1', voice: 'espeak_de', input })
  await writeFile(at('german.mp3'), Buffer.from(await german.arrayBuffer()))
  const translation = await openai.audio.translations.create({ file: createReadStream(at('german.mp3')), model: 'whisper-1' })
  assert.match(translation.text, /Germany/)
})

test('JavaScript: the models are listed', async () => {
  const ids: string[] = []
  for await (const model of openai.models.list()) ids.push(model.id)
  for (const name of ['gpt-5', 'dall-e-3', 'gpt-4o-transcribe', 'gpt-4o-mini-tts']) assert.ok(ids.includes(name), name)
})

test('Python: the same calls work', { ...needsText, ...needsVoices, ...needEnvironment('newest') }, async t => {
  const env = { GATEWAY_URL: `${gateway.url}/v1`, GATEWAY_KEY: testKey, OPENAI_BASE_URL: `${gateway.url}/v1`, OPENAI_API_KEY: testKey }
  await runCases(t, 'newest', 'use_samples.py', { ...env, SAMPLES_FOLDER: folder })
  assert.equal(await seen(at('otter.png')), 'png 1024x1024')
  assert.equal(await seen(await fetched(await readFile(at('cat.url'), 'utf8'))), 'png 1024x1024')
  await showsReferences(await readFile(at('gift-basket.png')))
  await playsAsSora(at('video.mp4'))
})

async function fetched(url: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(url ?? '')).arrayBuffer())
}

/** Returns format and size of a picture. Fails for a picture of a single colour. */
async function seen(picture: string | Buffer): Promise<string> {
  const { format, width, height } = await sharp(picture).metadata()
  const { channels } = await sharp(picture).stats()
  assert.ok(Math.max(...channels.map(({ stdev }) => stdev)) > 10, 'something is drawn')
  return `${format} ${width}x${height}`
}

/** Asserts that the colour of each reference picture is found in the picture: more than 5 % of the
 *  pixels differ from it by less than 40 (of 255) in each channel. */
async function showsReferences(picture: Buffer): Promise<void> {
  const { data } = await sharp(picture).removeAlpha().resize(64, 64, { fit: 'fill' }).raw().toBuffer({ resolveWithObject: true })
  for (const [name, colour] of Object.entries(references)) {
    const wanted = [1, 3, 5].map(index => Number.parseInt(colour.slice(index, index + 2), 16))
    let near = 0
    for (let index = 0; index < data.length; index += 3)
      if (wanted.every((value, channel) => Math.abs(value - (data[index + channel] ?? 0)) < 40)) near += 1
    assert.ok(near > 64 * 64 * 0.05, `${name} is seen`)
  }
}

/** Asserts that the video has the default length and size of the model `sora-2`. */
async function playsAsSora(path: string): Promise<void> {
  const facts = await probeVideo(path)
  assert.deepEqual([facts.width, facts.height, Math.round(facts.seconds)], [720, 1280, 4])
}
