/** Tests interface F4 on the whole program with this driver and a fake vendor. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import youchuan from './driver.ts'

interface VendorJob {
  path: string
  body: JsonObject
}
const jobs: VendorJob[] = []
/** Refusal with which the fake vendor answers the next submit; undefined: the submit creates a
 *  job. */
let refusal: { status: number; reason: string } | undefined
let server: Server
let vendor = ''
let gateway: TestGateway

before(async () => {
  server = createServer(async (request, reply) => {
    const send = (status: number, body: unknown) =>
      void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { pathname } = new URL(request.url ?? '', 'http://x')
    if (pathname.endsWith('.png')) {
      const shade = Number(pathname.match(/\d+/g)?.join('')) % 256
      reply.end(
        await sharp({ create: { width: 1536, height: 1024, channels: 3, background: { r: shade, g: 1, b: 2 } } })
          .png()
          .toBuffer(),
      )
      return
    }
    if (request.headers['x-youchuan-app'] !== 'app-1' || request.headers['x-youchuan-secret'] !== 'sk-youchuan')
      return send(401, { code: 401, reason: 'Invalid_App_Identifier', message: 'no' })
    if (request.method === 'POST') {
      const body = (await json(request)) as JsonObject
      const refused = refusal
      refusal = undefined
      if (refused) return send(refused.status, { code: refused.status, reason: refused.reason, message: 'no' })
      jobs.push({ path: pathname, body })
      return send(200, { id: `up-${jobs.length}`, status: 0, comment: 'JobStatusCreated', urls: [], audits: [] })
    }
    const index = Number(pathname.split('-').at(-1))
    send(200, recordOf(index))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  vendor = `http://127.0.0.1:${address.port}`
  const yaml = `models:
  - { id: mj, family: F4, targets: [{ driver: youchuan, base_url: "${vendor}", api_key_env: YC, app_id: app-1, model: midjourney }] }
`
  gateway = await startTestGateway({ drivers: [youchuan], yaml, env: { YC: 'sk-youchuan', GATEWAY_ENGINE_WORKERS: '1' } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  server.close()
})

function recordOf(index: number): object {
  const job = jobs[index - 1]
  const text = String(job?.body.text ?? job?.body.remixPrompt ?? '')
  const seed = Number(/--seed (\d+)/.exec(text)?.[1] ?? 1)
  if (text.includes('all-bad')) return { id: `up-${index}`, seed, status: 2, comment: 'Success', urls: [''], audits: ['violence'] }
  if (text.includes('crowded') && jobs.findIndex(each => String(each.body.text).includes('crowded')) === index - 1)
    return { id: `up-${index}`, seed, status: 3, comment: 'MaxConcurrentLimited', urls: [], audits: [] }
  if (text.includes('fails')) return { id: `up-${index}`, seed, status: 3, comment: 'BadPrompt', urls: [], audits: [] }
  const count = job?.path.endsWith('upscale') ? 1 : 4
  const urls = Array.from({ length: count }, (_, picture) =>
    text.includes('one-bad') && picture === 1 ? '' : `${vendor}/${index}/${picture}.png`,
  )
  return { id: `up-${index}`, seed, status: 2, comment: 'Success', urls, audits: urls.map(url => (url === '' ? 'gore' : '')) }
}

const path = '/v1/ai/default/tob'

async function done(operation: string, body: object) {
  const { status, body: job } = await gateway.call(`${path}/${operation}`, { body })
  assert.equal(status, 200, JSON.stringify(job))
  return until(async () => {
    const { body: seen } = await gateway.call(`${path}/job/${job.id}`)
    return seen.status < 2 ? undefined : seen
  }, 'the end of the job')
}

test('a text job, a redraw and an upscale are the vendor’s own, found again by its earlier job', async () => {
  const drawn = await done('diffusion', { model: 'mj', text: 'one-bad cat --v 6.1 --ar 3:2 --no dogs --s 250 --seed 11' })
  assert.deepEqual([drawn.status, drawn.seed, drawn.audits, drawn.not_followed], [2, 11, ['', 'gore', '', ''], []])
  assert.deepEqual(jobs.at(-1), { path: '/v1/tob/diffusion', body: { text: 'one-bad cat --ar 3:2 --seed 11 --no dogs --v 6.1 --s 250' } })
  const upstreamId = `up-${jobs.length}`
  const areas = [{ width: 1536, height: 1024, points: [40, 60, 400, 60, 400, 300] }]
  const redrawn = await done('inpaint', { jobId: drawn.id, imageNo: 2, mask: { areas }, remixPrompt: 'a blue door' })
  assert.deepEqual([redrawn.status, redrawn.urls.length], [2, 4], JSON.stringify(redrawn))
  assert.deepEqual(jobs.at(-1), {
    path: '/v1/tob/inpaint',
    body: { jobId: upstreamId, imageNo: 2, mask: { areas }, remixPrompt: 'a blue door' },
  })
  const again = `up-${jobs.length}`
  const large = await done('upscale', { jobId: redrawn.id, imageNo: 3, type: 1 })
  assert.deepEqual([large.status, large.urls.length], [2, 1])
  assert.deepEqual(jobs.at(-1), { path: '/v1/tob/upscale', body: { jobId: again, imageNo: 3, type: 1 } })
})

test('the types of upscale follow the version with which the picture was drawn', async () => {
  const drawn = await done('diffusion', { model: 'mj', text: 'a tree --v 5.2' })
  for (const type of [2, 3]) {
    await done('upscale', { jobId: drawn.id, imageNo: 0, type })
    assert.equal(jobs.at(-1)?.body.type, type)
  }
})

test('a picture of another driver is refused, and nothing is sent', async () => {
  const drawn = await done('diffusion', { text: 'a boat --draft' })
  const sent = jobs.length
  const large = await done('upscale', { jobId: drawn.id, imageNo: 0, type: 0, model: 'mj' })
  assert.deepEqual([large.status, jobs.length], [3, sent])
  assert.match(large.message, /Youchuan takes only pictures that it has drawn itself/)
})

test('refusals of the vendor are recognised by their words', async () => {
  const rejected = await done('diffusion', { model: 'mj', text: 'all-bad' })
  assert.deepEqual([rejected.status, rejected.comment, rejected.urls, rejected.audits], [3, 'Reject', [''], ['violence']])
  assert.equal((await done('diffusion', { model: 'mj', text: 'fails' })).comment, 'InvalidParameter')
  const drawn = await done('diffusion', { model: 'mj', text: 'a hill' })
  const upscale = { jobId: drawn.id, imageNo: 0, type: 0 }
  const reported: [status: number, reason: string, comment: string, message: RegExp][] = [
    [403, 'Msg_Sensitive', 'TextReject', /Msg_Sensitive/],
    [403, 'Upscale_Not_Support', 'InvalidParameter', /Upscale_Not_Support/],
    [405, 'Not_Support', 'InvalidParameter', /Not_Support/],
    [404, 'Not_Found', 'InvalidParameter', /^imageNo: Youchuan does not have the job/],
    [503, 'Request_Timout', 'Error', /may draw it all the same/],
    [403, 'No_Avaliable_Plan', 'Error', /No_Avaliable_Plan/],
  ]
  for (const [status, reason, comment, message] of reported) {
    refusal = { status, reason }
    const sent = jobs.length
    const job = await done('upscale', upscale)
    assert.deepEqual([job.status, job.comment, jobs.length], [3, comment, sent], `${reason} ${JSON.stringify(job)}`)
    assert.match(job.message, message)
  }
})

test('a job that fails because the vendor is at its limit is submitted again later', async () => {
  const before = jobs.length
  const drawn = await done('diffusion', { model: 'mj', text: 'crowded once' })
  assert.deepEqual([drawn.status, drawn.urls.length], [2, 4], JSON.stringify(drawn))
  assert.equal(jobs.length, before + 2)
})

test('unsupported requests are refused at the submit', async () => {
  const answer = await gateway.call(`${path}/diffusion`, { body: { model: 'mj', text: 'a sea \u2014storm' } })
  assert.deepEqual([answer.status, answer.body.reason], [400, 'Invalid_Argument'])
  assert.match(answer.body.message, /^text: Youchuan would read words/)
})
