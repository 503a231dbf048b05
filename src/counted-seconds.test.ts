/** Seconds are counted by what was decoded: a header that says less is neither believed nor accepted as within a limit (docs/decisions/0031). */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { forgedFlac, forgedSound } from '@generation-gateway/kit/testing/forged-length.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeHearingDriver, type HearingJob } from './testing/fake-hearing-driver.ts'
import { startTestGateway, type TestGateway } from './testing/gateway.ts'
import { sendParts } from './testing/multipart.ts'

const headers = { authorization: 'Bearer sk-counted-seconds-0001' }
const key = 'sk-counted-seconds-0001'
const jobs: HearingJob[] = []
let folder: string
let gateway: TestGateway
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counted-seconds-'))
  const yaml = `accounts:\n  - { id: acme, keys: [{ name: k, secret: ${key}, quotas: { seconds: 100/day } }], endpoints: [{ name: default }] }
models:
  - { id: long, family: [R1], group: token, targets: [{ driver: ears }] }
  - { id: short, family: [R4], targets: [{ driver: ears }] }
  - { id: first, family: [R5], targets: [{ driver: ears }] }
`
  gateway = await startTestGateway({ yaml, drivers: [fakeHearingDriver('ears', { jobs })] })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function used(): Promise<number> {
  const quota = await until(async () => {
    const [found] = (await gateway.call('/v1/usage', { key })).body.quotas
    return found.held === 0 ? found : undefined
  }, 'the end of the hold')
  return Math.round(quota.used)
}

const transcribe = async (path: string) =>
  sendParts(
    `${gateway.url}/v1/ai/default/audio/transcriptions`,
    [
      ['model', 'long'],
      ['file', await readFile(path)],
    ],
    { headers },
  )

test('a recording that says it lasts a second counts as long as it is, and no longer than its quota', async () => {
  const length = { seconds: 40, says: 1 }
  for (const [index, forge] of [forgedSound, forgedFlac].entries()) {
    const { status, body } = await transcribe(await forge(join(folder, `${index}.bin`), length))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await used(), 40 * (index + 1))
  }
  const runs = jobs.length
  const { status, body } = await transcribe(await forgedSound(join(folder, 'third.m4a'), length))
  assert.deepEqual([status, body.error.code], [429, 'quota_exceeded'], JSON.stringify(body))
  assert.equal(jobs.length, runs, 'nothing was sent')
  assert.equal(await used(), 80)
})

test('a recording that says it is short enough is refused where it is not, and counts nothing', async () => {
  const before = await used()
  const runs = jobs.length
  const file = await readFile(await forgedSound(join(folder, 'short.m4a'), { seconds: 40, says: 1 }))
  const { status, bytes } = await sendParts(
    `${gateway.url}/v1/ai/default/audio/recognize`,
    [
      ['model', 'short'],
      ['recognitionLanguages', 'en-US'],
      ['file', file],
    ],
    { headers },
  )
  assert.equal(status, 400, bytes.toString())
  assert.match(bytes.toString(), /file: lasts more than 30 s/)
  assert.equal(jobs.length, runs, 'nothing was sent')
  assert.equal(await used(), before)
})
