/** Tests how the driver reads a ComfyUI server's queue, history and outputs. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { apiKey, ComfyBench, generate, imageToImage, maxPictureBytes, png, promptIds } from './testing/bench.ts'

let bench: ComfyBench
beforeEach(async () => {
  bench = new ComfyBench()
  await bench.open()
})
afterEach(() => bench.close())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const shortQueue = (bench: ComfyBench) => bench.server.pending.map(([, id]) => id)

test("a drawing is queued, runs, and returns the server's picture", async () => {
  const handle = await bench.started()
  const [promptId = ''] = promptIds(handle)
  assert.match(promptId, uuid)
  // At the first start of a job, the driver does not read the whole history.
  assert.equal(bench.server.requests('/history').length, 0)
  assert.deepEqual(shortQueue(bench), promptIds(handle))
  bench.server.begin()
  assert.deepEqual(await bench.check(handle), { state: 'running' })
  const picture = await png('#3070b0')
  bench.server.finish({ 9: [{ filename: 'gateway_00001_.png', bytes: picture, subfolder: 'a b' }] })
  const done = await bench.done(handle)
  assert.deepEqual(done.report, { seed: generate.seed, prompt: generate.prompt, notDrawn: [] })
  const [file] = done.files
  assert.deepEqual([file?.mediaType, file?.width, file?.height], ['image/png', 12, 8])
  assert.deepEqual(await sharp(file?.path).raw().toBuffer(), await sharp(picture).raw().toBuffer())
  assert.deepEqual(done.usage, [
    { unit: 'images', units: 1 },
    { unit: 'pixels', units: 96 },
  ])
  assert.equal(bench.server.requests('/view')[0]?.path, '/view?filename=gateway_00001_.png&subfolder=a+b&type=output')
  assert.ok(bench.server.received.every(({ authorization }) => authorization === `Bearer ${apiKey}`))
  assert.ok(!bench.server.received.some(({ text, path }) => (text + path).includes(apiKey)))
})

test('a picture that the workflow saved in another format is converted to the requested one, on white', async () => {
  const clear = sharp({ create: { width: 12, height: 8, channels: 4, background: { r: 48, g: 112, b: 176, alpha: 0 } } })
  for (const [saved, wanted] of [['png', 'jpeg'] as const, ['webp', 'png'] as const]) {
    const handle = await bench.started({ id: saved })
    bench.server.begin()
    bench.server.finish({ 9: [{ filename: `g_00001_.${saved}`, bytes: await clear.clone().toFormat(saved).toBuffer() }] })
    const done = await bench.done(handle, { request: { ...generate, format: wanted } })
    const [{ path, ...facts } = assert.fail('no file')] = done.files
    assert.deepEqual(facts, { mediaType: `image/${wanted}`, width: 12, height: 8 })
    const file = sharp(await readFile(path))
    assert.equal((await file.metadata()).format, wanted)
    const pixel = (await file.ensureAlpha().raw().toBuffer()).subarray(0, 4)
    if (wanted === 'jpeg') assert.deepEqual([...pixel], [255, 255, 255, 255])
    else assert.equal(pixel[3], 0)
  }
})

const three = { ...generate, count: 3, seed: '-2' }

test('each of several pictures is a run of its own with the next seed, and other outputs are ignored', async () => {
  const handle = await bench.started({ request: three })
  assert.deepEqual(shortQueue(bench), promptIds(handle))
  assert.equal(new Set(promptIds(handle)).size, 3)
  const sent = bench.server.requests('/prompt').map(({ text }) => [/"batch_size":(\d+)/.exec(text)?.[1], /"seed":(\d+)/.exec(text)?.[1]])
  // The seeds are unsigned 64-bit numbers, which the server requires.
  assert.deepEqual(sent, [
    ['1', '18446744073709551614'],
    ['1', '18446744073709551615'],
    ['1', '0'],
  ])
  const pictures = await Promise.all(['red', 'lime', 'blue'].map(colour => png(colour)))
  const preview = await png('black')
  for (const [index, bytes] of pictures.entries()) {
    bench.server.begin()
    const progress = index === 0 ? {} : { progress: index / 3 }
    assert.deepEqual(await bench.check(handle, { request: three }), { state: 'running', ...progress })
    bench.server.finish({ 12: [{ filename: 'p.png', bytes: preview, type: 'temp' }], 9: [{ filename: `g${index}.png`, bytes }] })
  }
  const done = await bench.done(handle, { request: three })
  assert.deepEqual(await Promise.all(done.files.map(({ path }) => readFile(path))), pictures)
  assert.equal(done.report.seed, '-2')
  assert.deepEqual(done.usage[0], { unit: 'images', units: 3 })
})

test('a start of several runs that breaks off continues with those that are not queued yet', async () => {
  const stopped = new AbortController()
  let looks = 0
  bench.server.onQueue = () => {
    looks += 1
    if (looks === 3) stopped.abort()
  }
  await assert.rejects(bench.drawing().start(bench.job(three, { signal: stopped.signal })), { code: 'cancelled' })
  assert.equal(bench.submits(), 2)
  bench.server.begin()
  const handle = await bench.started({ request: three, attempt: 2 })
  assert.equal(bench.submits(), 3)
  assert.deepEqual([...bench.server.running.map(([, id]) => id), ...shortQueue(bench)], promptIds(handle))
})

test('a failed run, and a cancellation, stop the other runs', async () => {
  const failing = await bench.started({ request: three })
  bench.server.begin()
  bench.server.fail('execution_error', { node_id: '6', node_type: 'CLIPTextEncode', exception_message: 'no' })
  bench.server.begin()
  const seen = await bench.check(failing, { request: three })
  assert.ok(seen.state === 'failed')
  assert.equal(bench.server.running.length + bench.server.pending.length, 0)
  const cancelled = await bench.started({ id: 'task-2', request: three })
  bench.server.begin()
  await bench.drawing().cancel?.(bench.job(three), cancelled)
  assert.equal(bench.server.running.length + bench.server.pending.length, 0)
})

test('more or fewer pictures than requested are a failure that says so', async () => {
  const handle = await bench.started()
  bench.server.begin()
  const image = { filename: 'g.png', bytes: await png('red') }
  bench.server.finish({ 9: [image, image] })
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.code === 'upstream_error')
  assert.match(seen.message, /gave 2 pictures instead of 1\. .* setting output/)
  assert.equal(bench.server.requests('/view').length, 0)
})

test('a missing file, and one that is no picture, are a failure', async () => {
  const handle = await bench.started()
  bench.server.begin()
  bench.server.finish({ 9: [{ filename: 'g.png', bytes: Buffer.from('<html>no picture</html>') }] })
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.mayBeCharged && seen.message.includes('as a picture is none'))
  bench.server.outputs.clear()
  const gone = await bench.check(handle)
  assert.ok(gone.state === 'failed' && gone.message.includes('no longer has the picture'))
})

test('a picture above the limit is a failure', async () => {
  const handle = await bench.started()
  bench.server.begin()
  const bytes = await png('red')
  bench.server.finish({ 9: [{ filename: 'g.png', bytes }] })
  bench.server.outputs.set('g.png', Buffer.concat([bytes, Buffer.alloc(maxPictureBytes - bytes.length)]))
  await bench.done(handle)
  bench.server.outputs.set('g.png', Buffer.concat([bytes, Buffer.alloc(maxPictureBytes - bytes.length + 1)]))
  const large = await bench.check(handle)
  assert.ok(large.state === 'failed' && large.message.includes('more than 50000 bytes'))
})

test('a download that breaks off is repeated', async () => {
  const handle = await bench.started()
  bench.server.begin()
  const bytes = await png('red')
  bench.server.finish({ 9: [{ filename: 'g.png', bytes }] })
  bench.server.breaksViews = 1
  const [file] = (await bench.done(handle)).files
  assert.deepEqual(await readFile(file?.path ?? ''), bytes)
  assert.equal(bench.server.requests('/view').length, 2)
  assert.equal(bench.server.requests('/view')[1]?.authorization, `Bearer ${apiKey}`)
})

test('a redirect of an output is not followed, so the credential stays with the server', async () => {
  const other = await startFakeUpstream()
  try {
    const handle = await bench.started()
    bench.server.begin()
    bench.server.finish({ 9: [{ filename: 'g.png', bytes: await png('red') }] })
    bench.server.viewRedirect = `${other.baseUrl}/g.png`
    await assert.rejects(bench.check(handle), { code: 'upstream_error' })
    assert.equal(other.connectionsMade(), 0)
  } finally {
    await other.close()
  }
})

test('a waiting run is polled less often the further behind it is; the order follows the numbers', async () => {
  bench.server.queueOther(-1, 'before')
  const handle = await bench.started()
  bench.server.queueOther(9, 'behind')
  assert.deepEqual(await bench.check(handle), { state: 'running', progress: 0, checkAfterMs: 2_000 })
  for (let number = -50; number < -1; number++) bench.server.queueOther(number, `early ${number}`)
  assert.deepEqual(await bench.check(handle), { state: 'running', progress: 0, checkAfterMs: 10_000 })
})

test('a run that ends between the read of the history and that of the queue is found', async () => {
  const handle = await bench.started()
  const bytes = await png('red')
  bench.server.onQueue = () => {
    bench.server.begin()
    bench.server.finish({ 9: [{ filename: 'g.png', bytes }] })
  }
  await bench.done(handle)
})

test('a run that the server has forgotten is a failure', async () => {
  const handle = await bench.started()
  bench.server.forget()
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.message.includes('no longer has the run'))
})

test('an execution error names the node and its message, without paths and secrets', async () => {
  const handle = await bench.started()
  bench.server.begin()
  const facts = {
    node_id: '6',
    node_type: 'CLIPTextEncode',
    exception_type: 'RuntimeError',
    exception_message: `cannot open '/home/me/My Models/x.safetensors' for ${apiKey} or C:\\ai\\y.pt, 3/4 read\nTraceback /root/x.py`,
    traceback: ['/root/ComfyUI/execution.py'],
  }
  bench.server.fail('execution_error', facts)
  const words = 'cannot open (path) for *** or (path), 3/4 read'
  assert.deepEqual(await bench.check(handle), {
    state: 'failed',
    code: 'upstream_error',
    message: `The ComfyUI server failed at the node "Prompt" (CLIPTextEncode): ${words}.`,
  })
})

test('a waiting run is cancelled by removing it from the queue', async () => {
  bench.server.queueOther(-1, 'other')
  bench.server.begin()
  const handle = await bench.started()
  await bench.drawing().cancel?.(bench.job(generate), handle)
  assert.deepEqual(shortQueue(bench), [])
  assert.equal(bench.server.requests('/interrupt').length, 0)
  assert.equal(bench.server.running[0]?.[1], 'other')
})

test('the current run is cancelled by interrupting it, by its id', async () => {
  const handle = await bench.started()
  bench.server.begin()
  await bench.drawing().cancel?.(bench.job(generate), handle)
  assert.deepEqual(JSON.parse(bench.server.requests('/interrupt')[0]?.text ?? ''), { prompt_id: promptIds(handle)[0] })
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.message.includes('interrupted'))
})

test('a run that begins while it is being removed from the queue is interrupted', async () => {
  const handle = await bench.started()
  let looks = 0
  bench.server.onQueue = () => {
    looks += 1
    // The server starts the run only after the driver has polled the queue, so the driver's request
    // to delete the waiting prompt comes too late.
    if (looks === 1) setImmediate(() => bench.server.begin())
  }
  await bench.drawing().cancel?.(bench.job(generate), handle)
  assert.equal(bench.server.running.length + bench.server.pending.length, 0)
})

test('no other run is interrupted when the run has ended', async () => {
  const handle = await bench.started()
  bench.server.begin()
  bench.server.finish({ 9: [] })
  bench.server.queueOther(-1, 'other')
  bench.server.begin()
  await bench.drawing().cancel?.(bench.job(generate), handle)
  assert.equal(bench.server.requests('/interrupt').length, 0)
})

for (const takesPromptIds of [true, false]) {
  const kind = takesPromptIds ? 'takes our ids' : 'names prompts itself'
  test(`a start that is repeated after a restart queues nothing twice, at a server that ${kind}`, async () => {
    bench.server.takesPromptIds = takesPromptIds
    const first = await bench.started()
    // A new driver simulates a restart; the handle of the started task is lost.
    const restarted = bench.openDriver()
    try {
      const offer = bench.drawing(restarted)
      assert.deepEqual(await offer.start(bench.job(generate, { attempt: 2 })), { state: 'started', handle: first })
      bench.server.begin()
      assert.deepEqual(await offer.start(bench.job(generate, { attempt: 2 })), { state: 'started', handle: first })
      bench.server.finish({ 9: [{ filename: 'g.png', bytes: await png('red') }] })
      assert.deepEqual(await offer.start(bench.job(generate, { attempt: 2 })), { state: 'started', handle: first })
      assert.equal((await offer.check(bench.job(generate), first)).state, 'done')
    } finally {
      await restarted.close?.()
    }
    assert.equal(bench.submits(), 1)
  })

  test(`a submit whose answer is lost is found, not sent again, at a server that ${kind}`, async () => {
    bench.server.takesPromptIds = takesPromptIds
    bench.server.dropsAnswers = 1
    const handle = await bench.started()
    assert.deepEqual(shortQueue(bench), promptIds(handle))
    assert.equal(bench.submits(), 1)
  })
}

test('a prompt whose id no URL can contain is not taken for the prompt of a repeated start', async () => {
  const first = await bench.started()
  const [ownId = ''] = promptIds(first)
  for (const id of ['\ud83d', 'x'.repeat(201)]) {
    bench.server.pending.splice(0)
    bench.server.pending.push([7, id, {}, { client_id: ownId }, ['9']])
    const handle = await bench.started({ attempt: 2 })
    assert.deepEqual(handle, first)
    assert.equal((await bench.check(handle)).state, 'running')
    bench.server.pending.splice(0)
    bench.server.history.clear()
    bench.server.history.set(id, { prompt: [7, id, {}, { client_id: ownId }, ['9']], outputs: {}, status: {}, meta: {} })
    assert.deepEqual(await bench.started({ attempt: 2 }), first)
  }
})

test('another job is another prompt', async () => {
  const [first, second] = [await bench.started(), await bench.started({ id: 'task-2' })]
  assert.notDeepEqual(promptIds(first), promptIds(second))
  assert.equal(bench.submits(), 2)
})

test('an edit uploads its picture under a unique name, which the workflow loads', async () => {
  const bytes = await png('teal', 500, 333)
  const settings = bench.settings({ workflow: imageToImage })
  const request = { prompt: 'bluer', seed: '5', expandPrompt: false, safetyTolerance: 0, format: 'png' } as const
  const job = bench.job(request, { settings, inputs: [await bench.input(bytes, { width: 500, height: 333 })] })
  const started = await bench.editing().start(job)
  assert.equal(started.state, 'started')
  const name = `gateway-${promptIds(started.handle)[0]}.png`
  assert.equal(bench.sentInputs('10').image, name)
  assert.deepEqual(bench.server.uploads.get(name), bytes)
  assert.match(bench.server.requests('/upload/image')[0]?.text ?? '', /name="overwrite"\r\n\r\ntrue\r\n/)
  bench.server.begin()
  bench.server.finish({ 9: [{ filename: 'g.png', bytes: await png('navy') }] })
  assert.equal((await bench.editing().check(job, started.handle)).state, 'done')
})

test('a start that is aborted during its submit ends as cancelled', async () => {
  const leaving = new AbortController()
  bench.server.onQueue = () => leaving.abort()
  await assert.rejects(bench.drawing().start(bench.job(generate, { signal: leaving.signal })), { code: 'cancelled' })
  assert.equal(bench.submits(), 0)
})

test('a server that cannot be reached after a lost answer leaves the outcome unknown', async () => {
  bench.server.dropsAnswers = 1
  let looks = 0
  bench.server.onQueue = () => {
    looks += 1
    if (looks > 1) throw new Error('the server is gone')
  }
  await assert.rejects(bench.drawing().start(bench.job(generate)), { code: 'outcome_unknown' })
  assert.equal(bench.submits(), 1)
})
