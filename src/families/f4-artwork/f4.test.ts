/** Tests family F4 on the running program, with the built-in engine and with scripted targets. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeImagesDriver } from '../../testing/fakes/fake-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const other = 'sk-another-account-0001'
const yaml = `
models:
  - { id: inky, family: F4, targets: [{ driver: ink }] }
  - { id: plain, family: F4, targets: [{ driver: words-only }] }
accounts:
  - { id: other, keys: [{ name: k, secret_env: OTHER }], endpoints: [{ name: default }] }
`
type Request = { prompt?: string; count?: number; variants?: number; seed: string } & JsonObject
interface Seen {
  request: Request
  input: { role: string; width?: number | undefined; origin?: { detail: JsonObject; index: number } | undefined } | undefined
}
const seen: Seen[] = []
const mayGoOn = Promise.withResolvers<void>()

/** Draws pictures of 64x64, each in another grey. The prompt selects the behaviour. */
async function paint(job: Job<Request>): Promise<Outcome> {
  const { prompt = '', count, variants, seed } = job.request
  const [input] = job.inputs
  seen.push({ request: job.request, input: input && { role: input.role, width: input.width, origin: input.origin } })
  if (prompt.includes('waits')) await mayGoOn.promise
  if (prompt.includes('forbidden'))
    return { state: 'failed', code: 'request_moderated', message: 'prompt: not this.', reasons: ['violence'] }
  const wanted = count ?? variants ?? 1
  const refused = prompt.includes('all-bad') ? [0, 1, 2, 3] : prompt.includes('bad') ? [1, 2] : []
  const files = []
  for (let index = 0; index < wanted; index++) {
    if (refused.includes(index)) continue
    const path = join(job.scratch, `${index}.png`)
    const shade = (seen.length * 16 + index) % 256
    await writeFile(
      path,
      await sharp({ create: { width: 64, height: 64, channels: 3, background: { r: shade, g: 0, b: index } } })
        .png()
        .toBuffer(),
    )
    files.push({ path, mediaType: 'image/png', width: 64, height: 64 })
  }
  const report = {
    ...{ seed, prompt, notDrawn: [], notFollowed: ['flags', 'seed'] },
    ...(refused.length > 0 ? { refused: refused.map(picture => ({ picture, reasons: picture === 1 ? ['violence', 'gore'] : [] })) } : {}),
  }
  return { state: 'done', files, report, detail: { made: prompt }, usage: [{ unit: 'images', units: files.length }] }
}

// The cast is safe: the target reads only fields that the three types of request share.
const offer = <R extends ImageGenerateRequest | ImageEditRequest | ImageUpscaleRequest>() =>
  once<R>(job => paint(job as unknown as Job<Request>))

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({
    env: { GATEWAY_ENGINE_WORKERS: '1', OTHER: other },
    yaml,
    drivers: [
      fakeImagesDriver('ink', {
        'image.generate': { ...offer<ImageGenerateRequest>(), follows: ['flags'] },
        'image.edit': { ...offer<ImageEditRequest>(), follows: ['flags', 'regions'] },
        'image.upscale': offer<ImageUpscaleRequest>(),
      }),
      fakeImagesDriver('words-only', { 'image.generate': offer<ImageGenerateRequest>() }),
    ],
  })
})
after(() => gateway[Symbol.asyncDispose]())

const ids = { diffusion: 'createArtwork', inpaint: 'redrawArtwork', upscale: 'upscaleArtwork' }
type Operation = keyof typeof ids
const path = '/v1/ai/default/tob'

async function submit(
  operation: Operation,
  body: object,
  options: { key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await gateway.call(`${path}/${operation}`, { body, ...options })
  assertDocumented(ids[operation], answer)
  return answer
}

async function started(operation: Operation, body: object): Promise<string> {
  const { status, body: job } = await submit(operation, body)
  assert.deepEqual([status, job.status, job.comment, job.urls, job.audits], [200, 0, 'Queued', [], []], JSON.stringify(job))
  return job.id
}

const query = async (id: string) => {
  const answer = await gateway.call(`${path}/job/${id}`)
  assertDocumented('getArtwork', answer)
  return answer.body
}

const ended = (id: string) =>
  until(async () => {
    const job = await query(id)
    return job.status < 2 ? undefined : job
  }, 'the end of the job')

const drawn = async (text: string) => ended(await started('diffusion', { text, model: 'inky' }))

async function refused(operation: Operation, body: object, expected: [status: number, reason: string, says: RegExp]): Promise<void> {
  const answer = await submit(operation, body)
  const [status, reason, says] = expected
  assert.deepEqual([answer.status, answer.body.code, answer.body.reason], [status, status, reason], JSON.stringify(answer.body))
  assert.match(answer.body.message, says)
  assert.equal(answer.body.error.message, answer.body.message)
}

test('the built-in engine draws four pictures of a text, in the size and with the seed of its flags', async () => {
  const text = 'a red lighthouse on a cliff --ar 2:1 --seed 11 --draft --s 250'
  const job = await ended(await started('diffusion', { text }))
  assert.deepEqual([job.status, job.comment, job.text, job.seed, job.audits], [2, 'Success', text, 11, ['', '', '', '']])
  assert.deepEqual(job.not_followed, ['flags'])
  const files = await Promise.all(job.urls.map(async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())))
  for (const file of files) {
    const { width, height, format } = await sharp(file).metadata()
    assert.deepEqual([width, height, format], [736, 368, 'png'])
  }
  assert.equal(new Set(files.map(file => file.toString('base64'))).size, 4)
})

test('flags and fields reach the target as neutral fields', async () => {
  const job = await drawn('a cat --v 6.1 --no dogs, cars --seed 5 --aspect 3:2 --turbo --s 250')
  assert.deepEqual(seen.at(-1)?.request, {
    ...{ prompt: 'a cat', negativePrompt: 'dogs, cars', seed: '5', aspectRatio: '3:2', width: 1248, height: 832, count: 4 },
    ...{ flags: '--v 6.1 --turbo --s 250', expandPrompt: false, safetyTolerance: 2, format: 'png' },
  })
  assert.deepEqual([job.urls.length, job.not_followed], [4, ['flags', '--seed']])
  const plain = await drawn('a cat')
  const { seed, ...rest } = seen.at(-1)!.request
  assert.deepEqual([String(plain.seed), rest.flags, rest.negativePrompt, rest.aspectRatio], [seed, undefined, undefined, '1:1'])
  const long = `${'\u0001'.repeat(4000)}${'語'.repeat(4192)}`
  assert.equal((await drawn(long)).text, long)
})

test('flags that the model ignores are named at the submit, and are passed on to a target that knows them', async () => {
  const flags = '--weird 100 --tile --style raw --stylize 250'
  const warned = async (text: string, more: object = {}) => {
    const { status, headers, body } = await submit('diffusion', { text, ...more })
    assert.equal(status, 200, JSON.stringify(body))
    await ended(body.id)
    return headers.get('x-gateway-warning')
  }
  assert.equal(await warned(`a cat --ar 1:2 --draft ${flags}`), '--weird, --tile, --style, --stylize: not followed by MaaS_Art_v7.')
  assert.equal(await warned('a cat --ar 1:2 --draft --no dogs --seed 4'), null)
  assert.equal(await warned(`a cat ${flags}`, { model: 'inky' }), null)
  assert.equal(seen.at(-1)?.request.flags, '--weird 100 --tile --style raw --s 250')
  assert.equal(await warned('a cat --repeat 4 --tile', { model: 'inky' }), '--repeat: left out, since a job draws 4 pictures.')
  assert.equal(seen.at(-1)?.request.flags, '--tile')
  assert.equal(await warned('a cat --chaos 4', { model: 'plain' }), '--chaos: not followed by plain.')
})

test('an invalid text is refused in the words of the dialect', async () => {
  await refused('diffusion', { text: 'a cat --frobnicate' }, [400, 'Invalid_Prompt_Parameter', /"--frobnicate"/])
  await refused('diffusion', { text: 'a cat --no' }, [400, 'Invalid_Prompt_Parameter', /--no without a value/])
  await refused('diffusion', { text: 'x'.repeat(8193) }, [400, 'Invalid_Argument', /^text has 8193 characters; at most 8192/])
  await refused('diffusion', { text: '  ' }, [400, 'Invalid_Argument', /not only spaces/])
  await refused('diffusion', { text: 7 }, [400, 'Invalid_Argument', /must be string/])
  await refused('diffusion', {}, [400, 'Invalid_Argument', /^text is required/])
  await refused('diffusion', { text: 'a', model: 'nobody' }, [404, 'Not_Found', /nobody/])
  await refused('diffusion', { text: 'a', callback: 'ftp://x.example' }, [400, 'Invalid_Argument', /^callback /])
  assert.equal((await gateway.call(`${path}/diffusion`, { body: { text: 'a' }, key: 'sk-wrong' })).body.reason, 'Invalid_App_Identifier')
})

test('withheld pictures have empty URLs and reasons; a job with only withheld pictures is rejected', async () => {
  const some = await drawn('bad')
  assert.deepEqual([some.status, some.comment, some.audits], [2, 'Success', ['', 'violence, gore', 'rejected', '']])
  assert.deepEqual(some.urls.map(Boolean), [true, false, false, true])
  const mask = { areas: [{ width: 1024, height: 1024, points: [0, 0, 500, 0, 500, 500] }] }
  await refused('inpaint', { jobId: some.id, imageNo: 2, mask }, [400, 'Invalid_Argument', /^imageNo is 2, a picture that was rejected/])
  await refused('upscale', { jobId: some.id, imageNo: 1, type: 0 }, [400, 'Invalid_Argument', /imageNo is 1/])
  // The target has delivered two of the four pictures and refused the others. Picture 3 of the job
  // is therefore the second of the delivered files, which has the index 1.
  await ended(await started('upscale', { jobId: some.id, imageNo: 3, type: 0 }))
  assert.equal(seen.at(-1)?.input?.origin?.index, 1)
  const all = await drawn('all-bad')
  assert.deepEqual([all.status, all.comment, all.urls, all.audits], [3, 'Reject', [''], ['violence, gore']])
  const words = await drawn('forbidden')
  assert.deepEqual([words.status, words.comment, words.message], [3, 'TextReject', 'text: not this.'])
  assert.deepEqual([words.urls, words.audits], [[''], ['violence']])
  await refused('upscale', { jobId: words.id, imageNo: 0, type: 0 }, [400, 'Invalid_Argument', /rejected or not drawn/])
})

test('a region of a picture is redrawn by the model of its job, with the picture as input', async () => {
  const parent = await drawn('a house --v 5.2 --seed 3')
  const areas = [{ width: 1000, height: 500, points: [40, 60, 1000, 60, 400, 500] }]
  const redrawn = await ended(
    await started('inpaint', { jobId: parent.id, imageNo: 2, mask: { areas }, remixPrompt: 'a blue door --no bars' }),
  )
  const { request, input } = seen.at(-1)!
  assert.deepEqual([request.prompt, request.negativePrompt, request.regions, request.variants], ['a blue door', 'bars', areas, 4])
  assert.deepEqual([request.width, request.height], [64, 64])
  assert.deepEqual(input, { role: 'image', width: 64, origin: { detail: { made: 'a house' }, index: 2 } })
  assert.deepEqual([redrawn.status, redrawn.text, redrawn.urls.length], [2, 'a blue door --no bars', 4])
  const again = await submit('inpaint', { jobId: redrawn.id, imageNo: 0, mask: { areas } })
  assert.equal((await ended(again.body.id)).text, 'a blue door --no bars')
  const sized = await submit('inpaint', { jobId: parent.id, imageNo: 0, mask: { areas }, remixPrompt: 'x --ar 1:2' })
  assert.match(sized.headers.get('x-gateway-warning') ?? '', /--aspect and --draft are left out/)
  await ended(sized.body.id)
  // The version of the source job decides which upscale is allowed.
  await ended(await started('upscale', { jobId: redrawn.id, imageNo: 0, type: 3 }))
  assert.deepEqual([seen.at(-1)?.request.factor, seen.at(-1)?.request.mode], [4, 'subtle'])
})

test('the types of upscale follow the version of the job, and an upscaled picture is not upscaled again', async () => {
  const five = await drawn('a tree --v 5.1')
  const seven = await drawn('a tree')
  const requested = async (job: { id: string }, type: number) => {
    const upscaled = await ended(await started('upscale', { jobId: job.id, imageNo: 0, type }))
    assert.deepEqual([upscaled.status, upscaled.urls.length, upscaled.text], [2, 1, job === five ? 'a tree --v 5.1' : 'a tree'])
    const { factor, mode, prompt } = seen.at(-1)!.request
    return [factor, mode, prompt]
  }
  assert.deepEqual(await requested(seven, 0), [2, 'subtle', 'a tree'])
  assert.deepEqual(await requested(seven, 1), [2, 'creative', 'a tree'])
  assert.deepEqual(await requested(five, 2), [2, 'subtle', 'a tree'])
  assert.deepEqual(await requested(five, 3), [4, 'subtle', 'a tree'])
  for (const [job, types] of [
    [seven, [2, 3]],
    [five, [0, 1]],
  ] as const) {
    for (const type of types)
      await refused('upscale', { jobId: job.id, imageNo: 0, type }, [403, 'Upscale_Not_Support', /^type is .*takes/])
  }
  await refused('upscale', { jobId: seven.id, imageNo: 0, type: 4 }, [400, 'Invalid_Argument', /at most 3/])
  const large = await ended(await started('upscale', { jobId: seven.id, imageNo: 0 }))
  await refused('upscale', { jobId: large.id, imageNo: 0, type: 0 }, [400, 'Job_ReUpscale_Not_Support', /cannot be upscaled again/])
  await refused('upscale', { jobId: large.id, imageNo: 1, type: 0 }, [400, 'Invalid_Argument', /the job has 1 picture, from 0/])
})

test('masks are held to their limits', async () => {
  const { id: jobId } = await drawn('a wall')
  const square = { width: 1024, height: 1024, points: [0, 0, 1024, 0, 1024, 1024] }
  const wrong: [area: object, says: RegExp][] = [
    [{ ...square, width: 499 }, /^mask\.areas\[0\]\.width is 499; at least 500/],
    [{ ...square, height: 4097 }, /^mask\.areas\[0\]\.height is 4097; at most 4096/],
    [{ ...square, points: [0, 0, 1, 1] }, /points/],
    [{ ...square, points: [0, 0, 1, 1, 2, 2, 3] }, /7 numbers; it must have as many x as y/],
    [{ ...square, points: [0, 0, 1025, 0, 5, 5] }, /points\[2\] is 1025; at most 1024/],
    [{ ...square, height: 600, points: [0, 0, 5, 601, 5, 5] }, /points\[3\] is 601; at most 600/],
    [{ ...square, points: [0, 0, -1, 0, 5, 5] }, /points\[2\] is -1; at least 0/],
    [{ ...square, points: [0, 0, 1.5, 0, 5, 5] }, /integer/],
    [{ ...square, points: [0, 0, null, 0, 5, 5] }, /integer/],
    [{ ...square, points: [0, 0, '7', 0, 5, 5] }, /integer/],
    [{ ...square, points: Array(2001).fill(1) }, /at most 2000/],
    [{ ...square, points: Array(90_000).fill('x') }, /points/],
  ]
  for (const [area, says] of wrong)
    await refused('inpaint', { jobId, imageNo: 0, mask: { areas: [area] } }, [400, 'Invalid_Argument', says])
  const crowded = { areas: [{ ...square, points: Array(200_000).fill('x') }] }
  await refused('inpaint', { jobId, imageNo: 0, mask: crowded }, [413, 'Invalid_Argument', /more than 100000 values/])
  for (const mask of [{}, { areas: [] }, { areas: Array(17).fill(square) }, []])
    await refused('inpaint', { jobId, imageNo: 0, mask }, [400, 'Invalid_Argument', /mask/])
  const raw = `{"jobId":"${jobId}","imageNo":0,"mask":{"areas":[{"width":600,"height":600,"points":[0,0,NaN,0,5,5]}]}}`
  assert.deepEqual((await gateway.call(`${path}/inpaint`, { raw })).body.reason, 'Invalid_Argument')
  await refused('inpaint', { jobId, imageNo: 4, mask: { areas: [square] } }, [400, 'Invalid_Argument', /imageNo is 4; at most 3/])
  const changed = { jobId, imageNo: 0, mask: { areas: [square] }, remixPrompt: 'a door --unheardof' }
  await refused('inpaint', changed, [400, 'Invalid_Prompt_Parameter', /^remixPrompt has the flag/])
})

test('a job that is unknown, belongs to another account or has not ended cannot be upscaled', async () => {
  const body = { imageNo: 0, type: 0 }
  await refused('upscale', { ...body, jobId: '01kb2v0f5w9h3t8m6q4y7z1xcd' }, [404, 'Not_Found', /There is no task/])
  const { id: jobId } = await drawn('a stone')
  const answer = await submit('upscale', { ...body, jobId }, { key: other })
  assert.deepEqual([answer.status, answer.body.reason], [404, 'Not_Found'])
  assert.equal((await gateway.call(`${path}/job/${jobId}`, { key: other })).status, 404)
  const waiting = await started('diffusion', { text: 'waits', model: 'inky' })
  await refused('upscale', { ...body, jobId: waiting }, [400, 'Invalid_Argument', /^jobId is a job that has not ended/])
  await until(async () => (await query(waiting)).status === 1, 'its start')
  assert.equal((await query(waiting)).comment, 'Running')
  mayGoOn.resolve()
  assert.equal((await ended(waiting)).status, 2)
  const { status, body: job } = await gateway.call(`${path}/job/${waiting}`, { method: 'DELETE' })
  assert.deepEqual([status, job.status], [200, 2])
})

test('a request that no target of the model supports is refused with the reason', async () => {
  const { id: jobId } = await ended(await started('diffusion', { text: 'a pond', model: 'plain' }))
  const mask = { areas: [{ width: 500, height: 500, points: [0, 0, 9, 0, 9, 9] }] }
  await refused('upscale', { jobId, imageNo: 0, type: 0 }, [503, 'Server_Busy', /plain.*image\.upscale|image\.upscale.*plain/s])
  await refused('inpaint', { jobId, imageNo: 0, mask }, [503, 'Server_Busy', /image\.edit/])
  // The caller may name a model other than the job's.
  await ended(await started('upscale', { jobId, imageNo: 0, type: 0, model: 'inky' }))
})

test('a repeat with the same Idempotency-Key is the same job; another body is refused', async () => {
  const { id: jobId } = await drawn('a bird')
  const headers = { 'idempotency-key': 'once' }
  const first = await submit('upscale', { jobId, imageNo: 0 }, { headers })
  assert.equal((await submit('upscale', { jobId, imageNo: 0 }, { headers })).body.id, first.body.id)
  const another = await submit('upscale', { jobId, imageNo: 1 }, { headers })
  assert.deepEqual([another.status, another.body.reason], [409, 'Invalid_Argument'])
  await ended(first.body.id)
})

test('a callback to a forbidden address is refused, naming the field', async () => {
  await using guarded = await startTestGateway({ env: { GATEWAY_ALLOW_PRIVATE_URLS: '0' } })
  const { status, body } = await guarded.call(`${path}/diffusion`, { body: { text: 'a', callback: 'http://127.0.0.1:9/hook' } })
  assert.deepEqual([status, body.reason, body.error.param], [400, 'Invalid_Argument', 'callback'])
  assert.match(body.message, /callback/)
})

test('the callback receives the record of the job', async () => {
  const bodies: string[] = []
  const receiver = createServer(async (request, reply) => {
    bodies.push(await text(request))
    reply.end()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  try {
    const address = receiver.address()
    assert.ok(address && typeof address === 'object')
    const id = await started('diffusion', { text: 'a bell', model: 'inky', callback: `http://127.0.0.1:${address.port}/hook` })
    const [body = ''] = await until(() => (bodies.length > 0 ? bodies : undefined), 'the callback')
    const { id: reported, status, urls } = JSON.parse(body)
    assert.deepEqual([reported, status, urls.length], [id, 2, 4])
  } finally {
    receiver.close()
  }
})
