/** What the driver makes of a ComfyUI server's queue, history and outputs. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { startFakeUpstream } from '../../testing/fake-upstream.ts'
import { apiKey, ComfyBench, generate, imageToImage, maxPictureBytes, png } from './testing/bench.ts'

let bench: ComfyBench
beforeEach(async () => {
  bench = new ComfyBench()
  await bench.open()
})
afterEach(() => bench.close())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const shortQueue = (bench: ComfyBench) => bench.server.pending.map(([, id]) => id)

test('a drawing is queued, runs, and its picture comes as the server has it', async () => {
  const handle = await bench.started()
  assert.match(String(handle.promptId), uuid)
  // A first start has nothing to look for in the whole history.
  assert.equal(bench.server.requests('/history').length, 0)
  assert.deepEqual(shortQueue(bench), [handle.promptId])
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

test('a JPEG is made by the server when the workflow saved another kind', async () => {
  const handle = await bench.started()
  bench.server.begin()
  bench.server.finish({ 9: [{ filename: 'g_00001_.png', bytes: await png('#3070b0') }] })
  const done = await bench.done(handle, { request: { ...generate, format: 'jpeg' } })
  assert.equal(done.files[0]?.mediaType, 'image/jpeg')
  assert.match(bench.server.requests('/view')[0]?.path ?? '', /&preview=jpeg%3B95$/)
  assert.equal((await sharp(done.files[0]?.path).metadata()).format, 'jpeg')
})

test('two pictures of a batch come as two files in order, and other outputs do not count', async () => {
  const request = { ...generate, count: 2 }
  const handle = await bench.started({ request })
  assert.equal(bench.sentInputs('5').batch_size, 2)
  bench.server.begin()
  const [first, second, preview] = await Promise.all([png('red'), png('lime'), png('blue')])
  const images = [
    { filename: 'g_00002_.png', bytes: first },
    { filename: 'g_00001_.png', bytes: second },
  ]
  bench.server.finish({ 12: [{ filename: 'p.png', bytes: preview, type: 'temp' }], 9: images })
  const done = await bench.done(handle, { request })
  assert.deepEqual(await Promise.all(done.files.map(({ path }) => readFile(path))), [first, second])
  assert.deepEqual(done.usage[0], { unit: 'images', units: 2 })
})

test('more or fewer pictures than asked for are a failure that says so', async () => {
  const handle = await bench.started()
  bench.server.begin()
  const image = { filename: 'g.png', bytes: await png('red') }
  bench.server.finish({ 9: [image, image] })
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.code === 'upstream_error')
  assert.match(seen.message, /gave 2 pictures instead of 1\. .* setting output/)
  assert.equal(bench.server.requests('/view').length, 0)
})

test('what is no picture of the asked kind, or is gone, is a failure', async () => {
  const handle = await bench.started()
  bench.server.begin()
  bench.server.finish({ 9: [{ filename: 'g.png', bytes: Buffer.from('<html>no picture</html>') }] })
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.message.includes('no picture where image/png'))
  bench.server.outputs.clear()
  const gone = await bench.check(handle)
  assert.ok(gone.state === 'failed' && gone.message.includes('no longer has the picture'))
})

test('a picture of another kind than asked for, or above the limit, is a failure', async () => {
  const handle = await bench.started()
  bench.server.begin()
  const webp = await sharp(await png('red'))
    .webp()
    .toBuffer()
  bench.server.finish({ 9: [{ filename: 'g.webp', bytes: webp }] })
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.message.includes('of the type image/webp where image/png'))
  const size = (await png('red')).length
  bench.server.outputs.set('g.webp', Buffer.concat([await png('red'), Buffer.alloc(maxPictureBytes - size)]))
  await bench.done(handle)
  bench.server.outputs.set('g.webp', Buffer.concat([await png('red'), Buffer.alloc(maxPictureBytes - size + 1)]))
  const large = await bench.check(handle)
  assert.ok(large.state === 'failed' && large.message.includes('more than 50000 bytes'))
})

test('a download that breaks off is made again at the next look', async () => {
  const handle = await bench.started()
  bench.server.begin()
  const bytes = await png('red')
  bench.server.finish({ 9: [{ filename: 'g.png', bytes }] })
  bench.server.breaksViews = 1
  await assert.rejects(bench.check(handle), { code: 'upstream_error' })
  const [file] = (await bench.done(handle)).files
  assert.deepEqual(await readFile(file?.path ?? ''), bytes)
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

test('one that waits is asked after the less often the further behind it is; the order is that of the numbers', async () => {
  bench.server.queueOther(-1, 'before')
  const handle = await bench.started()
  bench.server.queueOther(9, 'behind')
  assert.deepEqual(await bench.check(handle), { state: 'running', progress: 0, checkAfterMs: 2_000 })
  for (let number = -50; number < -1; number++) bench.server.queueOther(number, `early ${number}`)
  assert.deepEqual(await bench.check(handle), { state: 'running', progress: 0, checkAfterMs: 10_000 })
})

test('one that ends between the look at the history and the one at the queue is found', async () => {
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

test('an execution error names the node and what it says, without paths and secrets', async () => {
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

test('a run that waits is cancelled by taking it out of the queue', async () => {
  bench.server.queueOther(-1, 'other')
  bench.server.begin()
  const handle = await bench.started()
  await bench.drawing().cancel?.(bench.job(generate), handle)
  assert.deepEqual(shortQueue(bench), [])
  assert.equal(bench.server.requests('/interrupt').length, 0)
  assert.equal(bench.server.running[0]?.[1], 'other')
})

test('the run that is the running one is cancelled by interrupting it, by its id', async () => {
  const handle = await bench.started()
  bench.server.begin()
  await bench.drawing().cancel?.(bench.job(generate), handle)
  assert.deepEqual(JSON.parse(bench.server.requests('/interrupt')[0]?.text ?? ''), { prompt_id: handle.promptId })
  const seen = await bench.check(handle)
  assert.ok(seen.state === 'failed' && seen.message.includes('interrupted'))
})

test('a run that begins while it is being taken out of the queue is interrupted', async () => {
  const handle = await bench.started()
  let looks = 0
  bench.server.onQueue = () => {
    looks += 1
    // The delete that comes after the first look finds it gone from what waits.
    if (looks === 1) setImmediate(() => bench.server.begin())
  }
  await bench.drawing().cancel?.(bench.job(generate), handle)
  assert.equal(bench.server.running.length + bench.server.pending.length, 0)
})

test('nobody else is interrupted when the run has ended', async () => {
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
    // The handle was lost with the process.
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
    assert.deepEqual(shortQueue(bench), [handle.promptId])
    assert.equal(bench.submits(), 1)
  })
}

test('another job is another prompt', async () => {
  const [first, second] = [await bench.started(), await bench.started({ id: 'task-2' })]
  assert.notEqual(first.promptId, second.promptId)
  assert.equal(bench.submits(), 2)
})

test('an edit uploads its picture under a name of its own, and the workflow loads that one', async () => {
  const bytes = await png('teal', 500, 333)
  const settings = bench.settings({ workflow: imageToImage })
  const request = { prompt: 'bluer', seed: '5', expandPrompt: false, safetyTolerance: 0, format: 'png' } as const
  const job = bench.job(request, { settings, inputs: [await bench.input(bytes, { width: 500, height: 333 })] })
  const started = await bench.editing().start(job)
  assert.equal(started.state, 'started')
  const name = `gateway-${started.handle.promptId}.png`
  assert.equal(bench.sentInputs('10').image, name)
  assert.deepEqual(bench.server.uploads.get(name), bytes)
  assert.match(bench.server.requests('/upload/image')[0]?.text ?? '', /name="overwrite"\r\n\r\ntrue\r\n/)
  bench.server.begin()
  bench.server.finish({ 9: [{ filename: 'g.png', bytes: await png('navy') }] })
  assert.equal((await bench.editing().check(job, started.handle)).state, 'done')
})

test('a start that is aborted in its submit ends as cancelled', async () => {
  const leaving = new AbortController()
  bench.server.onQueue = () => leaving.abort()
  await assert.rejects(bench.drawing().start(bench.job(generate, { signal: leaving.signal })), { code: 'cancelled' })
  assert.equal(bench.submits(), 0)
})

test('a server that cannot be asked after a lost answer leaves the outcome unknown', async () => {
  bench.server.dropsAnswers = 1
  let looks = 0
  bench.server.onQueue = () => {
    looks += 1
    if (looks > 1) throw new Error('the server is gone')
  }
  await assert.rejects(bench.drawing().start(bench.job(generate)), { code: 'outcome_unknown' })
  assert.equal(bench.submits(), 1)
})
