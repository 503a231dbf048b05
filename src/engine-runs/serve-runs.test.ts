/** Tests which requests a node with engines accepts from other nodes. */
import assert from 'node:assert/strict'
import { readdir, readlink, writeFile } from 'node:fs/promises'
import { request as startRequest } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { digestOf, RunTokens, runTokenKey, signRun } from './run-token.ts'
import { all, done, secret, setUp } from './testing/run-node.ts'
import { enginePath, frameOf } from './wire.ts'

test('a token is accepted only with the right secret, for this node and request, once, for 30 s', async context => {
  const { node, clock } = await setUp(context)
  const body = frameOf({ version: 1, id: 'x', capability: 'image.generate', model: 'm', settings: {}, request: {}, attempt: 1, inputs: [] })
  const head = digestOf(body.subarray(4))
  let count = 0
  const claims = () => ({ run: `run-${++count}`, engine: 'e', account: 'acme', key: 'k', from: 'api', to: node.address, head })
  const key = runTokenKey(secret)
  const send = async (token: string, sent: Buffer = body): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-gateway-frames' }
    const answer = await fetch(node.address + enginePath, { method: 'POST', headers, body: new Uint8Array(sent) })
    const text = await answer.text()
    return `${answer.status} ${/"(?:type|code)":"(\w+)"/.exec(text)?.[1]} ${/[^:]*(?=\."})/.exec(text)?.[0].trim() ?? ''}`.trim()
  }
  const valid = signRun(key, claims(), clock.now())
  assert.equal(await send(valid), '200 outcome')
  assert.equal(await send(valid), '401 invalid_api_key the token was used before')
  const late = signRun(key, claims(), clock.now())
  clock.at += 30_000
  assert.equal(await send(late), '401 invalid_api_key the token has expired')
  const now = clock.now()
  assert.equal(
    await send(signRun(key, { ...claims(), to: 'http://10.0.0.9:8080' }, now)),
    '401 invalid_api_key the token is for another node',
  )
  const foreign = 'only nodes of the same database may use it, with a token of their own'
  assert.equal(await send(signRun(runTokenKey(Buffer.alloc(32, 8)), claims(), now)), `401 invalid_api_key ${foreign}`)
  assert.equal(await send(signRun(secret, claims(), now)), `401 invalid_api_key ${foreign}`, 'the secret key itself signs nothing')
  const [version, payload, mac] = signRun(key, claims(), now).split('.')
  const altered = Buffer.from(JSON.stringify({ ...claims(), account: 'victim', exp: now + 1_000 })).toString('base64url')
  assert.equal(await send([version, altered, mac].join('.')), `401 invalid_api_key ${foreign}`)
  assert.equal(await send([version, payload, ''].join('.')), `401 invalid_api_key ${foreign}`)
  const other = frameOf({
    version: 1,
    capability: 'image.generate',
    model: 'm',
    settings: { file: '/x' },
    request: {},
    attempt: 1,
    inputs: [],
  })
  assert.match(await send(signRun(key, claims(), now), other), /^200 error/, 'the token is bound to its request')
  assert.match(await send(signRun(key, { ...claims(), engine: 'openai-compatible' }, now)), /^503 capability_unavailable/)
})

test('while the secret key is changed, tokens of both keys are accepted', () => {
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  const [key, fallback, foreign] = [1, 2, 3].map(byte => runTokenKey(Buffer.alloc(32, byte))) as [Buffer, Buffer, Buffer]
  const claims = { engine: 'e', account: 'acme', key: 'k', from: 'api', to: 'http://10.0.0.9:8080', head: '' }
  const tokens = new RunTokens([key, fallback], clock, () => claims.to)
  const accepted = (run: string, signer: Buffer) => tokens.accept(signRun(signer, { ...claims, run }, clock.now())).run
  assert.deepEqual([accepted('r', key), accepted('s', fallback)], ['r', 's'])
  assert.throws(() => accepted('t', foreign), { code: 'invalid_api_key' })
})

test('a token from before the start of a node, which no longer knows the used ones, is refused for now', () => {
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  const key = runTokenKey(secret)
  const claims = { run: 'r', engine: 'e', account: 'acme', key: 'k', from: 'api', to: 'http://10.0.0.9:8080', head: '' }
  const restarted = () => new RunTokens([key], clock, () => claims.to)
  const token = signRun(key, claims, clock.now())
  assert.equal(restarted().accept(token).run, 'r')
  clock.at += 1
  assert.throws(() => restarted().accept(token), { code: 'overloaded', retryAfterSeconds: 1 })
  assert.equal(restarted().accept(signRun(key, { ...claims, run: 's' }, clock.now())).run, 's')
})

test('many tokens from before the start of a node are all refused for now, and none counts as a wrong key', async context => {
  const { node, clock } = await setUp(context)
  const send = async (run: string): Promise<string> => {
    const claims = { run, engine: 'e', account: 'acme', key: 'k', from: 'api', to: node.address, head: '' }
    const headers = { authorization: `Bearer ${signRun(runTokenKey(secret), claims, clock.now() - 1)}` }
    const answer = await fetch(node.address + enginePath, { method: 'POST', headers, body: 'x' })
    return `${answer.status} ${Object(await answer.json()).error.code}`
  }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, number) => send(`r${number}`)))
  assert.deepEqual([...new Set(answers)], ['503 overloaded'])
})

test('a request that is too large, of another version or cut short is refused', async context => {
  let ran = 0
  const { job, run, node, clock } = await setUp(
    context,
    once(async () => {
      ran += 1
      return done
    }),
  )
  const large = await all(run(await job({ request: { prompt: 'x'.repeat(17 * 2 ** 20) } }))).catch((error: unknown) => error)
  assert.ok(large instanceof GatewayError && large.code === 'payload_too_large')
  const head = { version: 2, id: 'x', capability: 'image.generate', model: 'm', settings: {}, request: {}, attempt: 1, inputs: [] }
  const short = { ...head, version: 1, inputs: [{ role: 'image', mediaType: 'image/png', bytes: 10 }] }
  for (const sent of [head, short]) {
    const frame = frameOf(sent)
    const claims = {
      run: `v${sent.version}`,
      engine: 'e',
      account: '',
      key: '',
      from: 'api',
      to: node.address,
      head: digestOf(frame.subarray(4)),
    }
    const token = signRun(runTokenKey(secret), claims, clock.now())
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-gateway-frames' }
    const answer = await fetch(node.address + enginePath, { method: 'POST', headers, body: new Uint8Array(frame) })
    assert.match(await answer.text(), /"type":"error"/)
  }
  assert.equal(ran, 0)
})

test('a node that falls silent during its request loses its place', async context => {
  const { node, places, clock } = await setUp(
    context,
    once(async () => done),
    // Long enough for the test to observe that the place is occupied, even on a busy machine.
    { silenceMs: 500 },
  )
  const inputs = [{ role: 'image', mediaType: 'image/png', bytes: 10 }]
  const frame = frameOf({ version: 1, id: 'x', capability: 'image.generate', model: 'm', settings: {}, request: {}, attempt: 1, inputs })
  const claims = { run: 'r', engine: 'e', account: '', key: '', from: 'api', to: node.address, head: digestOf(frame.subarray(4)) }
  const sent = startRequest(node.address + enginePath, {
    method: 'POST',
    headers: { authorization: `Bearer ${signRun(runTokenKey(secret), claims, clock.now())}` },
  })
  sent.on('response', response => response.on('error', () => {}).resume())
  const cut = new Promise(resolve => sent.on('error', () => {}).on('close', resolve))
  sent.write(frame)
  await until(() => places.busy === 1, 'the place')
  await cut
  await until(() => places.busy === 0, 'the place to be free')
})

test('a run that ignores its abort is given up after a while, and its place is free again', async context => {
  let begun = 0
  const { job, run, places, errors } = await setUp(
    context,
    once(async () => {
      begun += 1
      return begun === 1 ? new Promise<never>(() => {}) : done
    }),
    { slots: 1, accountSlots: 1, graceMs: 100 },
  )
  const stop = new AbortController()
  const left = all(run(await job({ signal: stop.signal }))).catch((error: unknown) => error)
  await until(() => begun === 1, 'the first run')
  const next = all(run(await job()))
  stop.abort(new Error('the caller left'))
  assert.equal(Object(await left).message, 'the caller left')
  assert.equal((await next).at(-1)?.type, 'outcome')
  await until(() => places.busy === 0, 'both places to be free')
  assert.deepEqual(errors, ['a run for another node goes on after its abort; its place is given to others'])
})

test('the limit of connections of an access key does not limit the runs of a node', async context => {
  const both = Promise.withResolvers<void>()
  let running = 0
  const { job, run } = await setUp(
    context,
    once(async () => {
      if (++running === 2) both.resolve()
      await both.promise
      return done
    }),
    { mostPerKey: 1 },
  )
  for (const parts of await Promise.all([all(run(await job())), all(run(await job()))])) assert.equal(parts.at(-1)?.type, 'outcome')
})

test('files of a run whose calling node has left are not opened', { skip: process.platform !== 'linux' }, async context => {
  const begun = Promise.withResolvers<void>()
  const { job, run, places, folder } = await setUp(
    context,
    once(async ({ scratch, signal }) => {
      begun.resolve()
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      const path = join(scratch, 'out.png')
      await writeFile(path, 'x')
      return { ...done, files: [{ path, mediaType: 'image/png' }] }
    }),
  )
  const stop = new AbortController()
  const left = all(run(await job({ signal: stop.signal }))).catch((error: unknown) => error)
  await begun.promise
  stop.abort(new Error('the caller left'))
  await left
  await until(() => places.busy === 0, 'the end of the run')
  await until(async () => !(await readdir(folder)).some(name => name.startsWith('engine-run-')), 'the folder to be removed')
  const open = await readdir('/proc/self/fd')
  const paths = await Promise.all(open.map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  assert.ok(!paths.some(path => path.startsWith(folder)))
})
