/** Tests the requests that the engine makes to other models, and how it uses the answers. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { RunSubRequest, SubRequest } from '@generation-gateway/kit/requests/job.ts'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { createCanvas } from '@napi-rs/canvas'
import { unzip } from './deck/zip.ts'
import slides from './driver.ts'

const folder = await mkdtemp(join(tmpdir(), 'slides-help-'))
const engine = openEngine(slides, { folder, cores: 1 })
after(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const deck = {
  title: 'Ebb and flow',
  slides: [
    { layout: 'title', title: 'Ebb and flow', subtitle: 'Twice a day' },
    {
      layout: 'points',
      title: 'Why the sea moves',
      points: ['The moon pulls the water that faces it', 'The far side is pulled less and stays behind'],
    },
    {
      layout: 'figures',
      title: 'A day in numbers',
      figures: [
        { value: '2', label: 'high waters on most coasts' },
        { value: '12 h 25', label: 'between two of them' },
      ],
    },
    { layout: 'closing', title: 'Go and look' },
  ],
}
const said = (text: string) => ({ output: [{ type: 'message', role: 'assistant', parts: [{ type: 'text', text }] }] })
/** A fake gateway that answers text requests with this text and has no other model. */
const talker =
  (text: string, requested: SubRequest<'text.respond'>[] = []): RunSubRequest =>
  async part => {
    if (part.capability !== 'text.respond') return undefined
    requested.push(part as SubRequest<'text.respond'>)
    return { state: 'done', files: [], report: said(text), usage: [{ unit: 'output_tokens', units: 300 }], model: 'big-model' }
  }
const slidesOf = (report: object) => (report as { slides: Slide[] }).slides

test('an available text model writes the deck, also in a language that only the request names', async () => {
  const requested: SubRequest<'text.respond'>[] = []
  const { report, usage } = await engine.run(
    'slides.write',
    { title: 'Tides', slides: 5 },
    { subRequest: talker(JSON.stringify(deck), requested) },
  )
  assert.equal(requested[0]?.model, 'configured')
  assert.match(String(report.comment), /^Written by big-model; its facts were not checked/)
  assert.deepEqual(
    slidesOf(report).map(({ title }) => title),
    deck.slides.map(({ title }) => title),
  )
  assert.equal(slidesOf(report)[2]?.source, 'example numbers of the text model, not checked')
  assert.deepEqual(usage, [
    { unit: 'slides', units: 4 },
    { unit: 'output_tokens', units: 300 },
  ])
  const french = { title: 'Les marées', language: 'fr', slides: 5 }
  const settings = { text_model: 'big-model' }
  const written = await engine.run('slides.write', french, { settings, subRequest: talker(JSON.stringify(deck), requested) })
  assert.equal(written.report.language, 'fr')
  assert.deepEqual(requested[1]?.model, { id: 'big-model' })
})

test('an unusable answer is not used: the built-in writer writes the deck, and the comment says why', async () => {
  const poor = await engine.run(
    'slides.write',
    { title: 'Tides', slides: 8 },
    { subRequest: talker('{"slides":[{"layout":"agenda","title":"Tides","points":["Tides"]}]}') },
  )
  assert.match(
    String(poor.report.comment),
    /^What big-model wrote was not used: 0 of its slides have content, and 3 are needed\. The built-in writer/,
  )
  assert.equal(slidesOf(poor.report).length, 8)
  const down: RunSubRequest = async ({ capability }) => {
    if (capability === 'text.respond') throw new GatewayError('upstream_unreachable', 'The upstream cannot be reached.')
    return undefined
  }
  const alone = await engine.run('slides.write', { title: 'Tides', slides: 4 }, { subRequest: down })
  assert.match(String(alone.report.comment), /^A text model could not be asked: The upstream cannot be reached\. The built-in writer/)
  const off = await engine.run(
    'slides.write',
    { title: 'Tides', slides: 4 },
    { subRequest: down, settings: { text_model: 'none', index: false } },
  )
  assert.match(String(off.report.comment), /^The built-in writer/)
})

test('a picture that two slides describe is drawn once, and an ornament is used if it cannot be drawn', async () => {
  const prompts: string[] = []
  const painter: RunSubRequest = async ({ capability, request }) => {
    if (capability !== 'image.generate' || !('prompt' in request)) return undefined
    prompts.push(request.prompt)
    const canvas = createCanvas(96, 122)
    canvas.getContext('2d').fillRect(0, 0, 96, 122)
    const path = join(folder, `p${prompts.length}.png`)
    await writeFile(path, canvas.toBuffer('image/png'))
    const notDrawn = request.prompt.includes('justice') ? ['justice'] : ['oak (drawn as tree)']
    return {
      state: 'done',
      files: [{ path, mediaType: 'image/png' }],
      report: { notDrawn },
      usage: [{ unit: 'images', units: 1 }],
      model: 'studio',
    }
  }
  const written: Slide[] = [
    { layout: 'title', title: 'Oaks', points: [], picture: 'an oak' },
    { layout: 'picture', title: 'An oak', points: ['Old'], picture: 'an oak' },
    { layout: 'picture', title: 'Justice', points: ['Blind'], picture: 'justice' },
  ]
  const render = { title: 'Oaks', language: 'en', slides: written, template: 'clinic', outputs: ['deck' as const] }
  const { files, usage } = await engine.run('slides.render', render, { subRequest: painter })
  assert.deepEqual(prompts, ['an oak', 'justice'])
  assert.deepEqual(usage, [
    { unit: 'slides', units: 3 },
    { unit: 'images', units: 2 },
  ])
  const parts = unzip(await readFile(files[0]!.path))
  const picturesOn = (page: number) =>
    (
      parts
        .get(`ppt/slides/_rels/slide${page}.xml.rels`)
        ?.toString()
        .match(/relationships\/image"/g) ?? []
    ).length
  assert.deepEqual([1, 2, 3].map(picturesOn), [1, 1, 1])
  await engine.run('slides.render', render, { subRequest: painter, settings: { pictures: 0 } })
  assert.equal(prompts.length, 2)
})
