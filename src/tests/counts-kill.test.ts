/** Calls that were running when the program was killed are counted when it starts again. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { freePort } from '../testing/free-port.ts'
import { testAdminKey } from '../testing/gateway.ts'
import { ledgerRows } from '../testing/load/ledger-rows.ts'
import { startProgram } from '../testing/program.ts'
import { begin, relayYaml } from '../testing/relay-gateway.ts'

const limited = 'sk-kill-key-limited-1'
const free = 'sk-kill-key-free-0001'
const wanted = 20_000

test('streams that a SIGKILL has cut count what they delivered, in the ledger and in the quota', async () => {
  const upstream = await startFakeUpstream()
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-kill-'))
  const config = join(dataDir, 'gateway.yaml')
  await writeFile(
    config,
    `accounts:\n  - id: acme\n    keys: [{ name: a, secret: ${limited}, quotas: { tokens: 1000000/day } }, { name: b, secret: ${free} }]\n    endpoints: [{ name: studio }]\n${relayYaml([{ url: upstream.baseUrl }])}`,
  )
  const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a ' } }] })}\n\n`
  upstream.answer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let sent = 0; sent < wanted && !response.destroyed; sent += 100)
      if (!response.write(event.repeat(100))) await new Promise(resolve => response.once('drain', resolve).once('close', resolve))
  })
  const settings = { dataDir, port: await freePort(), env: { GATEWAY_CONFIG: config, GATEWAY_ENGINE_WORKERS: '0' } }
  let program = await startProgram(settings)
  try {
    const body = JSON.stringify({ model: 'm', stream: true, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] })
    const delivered = await Promise.all([limited, free].map(key => readAll(`${program.url}/v1/ai/studio/chat/completions`, { body, key })))
    assert.deepEqual(delivered, [wanted, wanted])
    // The record of a running call is written a little after the part of the answer that it counts.
    // The delay differs between the calls, so this waits until both records are there.
    await until(async () => (await ledgerRows(dataDir)).holds.filter(tokens => tokens >= wanted).length === 2, 'the notes of both streams')
    await program.kill()
    program = await startProgram(settings)
    // With a shared database, the killed process counts as dead only when its heartbeats are
    // overdue.
    await until(async () => (await ledgerRows(dataDir)).holds.length === 0, 'the records of the killed process')
    const usage = await ask(`${program.url}/admin/usage?by=key&account=acme`, testAdminKey)
    const outputs = usage.usage
      .filter(({ unit }: { unit: string }) => unit === 'output_tokens')
      .map(({ units }: { units: number }) => units)
    assert.equal(outputs.length, 2)
    for (const units of outputs) assert.ok(units >= wanted && units <= wanted + 1_024, `${units} of ${wanted} tokens`)
    const [quota] = (await ask(`${program.url}/v1/usage`, limited)).quotas
    assert.equal(quota.held, 0)
    assert.ok(quota.used >= wanted, `${quota.used} tokens in the quota`)
    const { calls } = await ask(`${program.url}/admin/calls?account=acme`, testAdminKey)
    assert.deepEqual(
      calls.map(({ isEstimated, status }: { isEstimated: boolean; status: number }) => [isEstimated, status]),
      [
        [true, 500],
        [true, 500],
      ],
    )
  } finally {
    await program.kill()
    await upstream.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** Reads this many tokens of an answer and keeps the connection open. */
async function readAll(url: string, sending: { body: string; key: string }): Promise<number> {
  const answer = await begin(url, sending)
  // The program is killed during the answer, so an error is expected.
  answer.on('error', () => undefined)
  let bytes = 0
  const size = JSON.stringify({ choices: [{ index: 0, delta: { content: 'a ' } }] }).length + 'data: \n\n'.length
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await until(() => bytes >= wanted * size, 'the tokens')
  return Math.floor(bytes / size)
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the interface.
async function ask(url: string, key: string): Promise<any> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200)
  return answer.json()
}
