/** Tests `gateway prices` as an operator runs it, and what callers are then charged. */

import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { jsonReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import { type CommandRun, endOfCommand } from '../testing/program.ts'
import { upstreamKey } from '../testing/relay-gateway.ts'
import { startCommandHost } from './testing/command-host.ts'

const folder = await mkdtemp(join(tmpdir(), 'gateway-prices-cli-'))
const host = startCommandHost()
after(async () => {
  await host[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const environment = (place: string) => ({ GATEWAY_CONFIG: join(place, 'gateway.yaml'), GATEWAY_DATA_DIR: join(folder, 'none') })

/** Runs a command in the process that `startCommandHost` started. The command uses the file
 *  `gateway.yaml` in the folder `place` as its configuration file. */
function run(place: string, ...args: string[]): Promise<CommandRun> {
  return host.run(args, environment(place))
}

/** Runs a command like `run`, but in a process of its own, which has to end by itself. */
function runAlone(place: string, ...args: string[]): Promise<CommandRun> {
  return endOfCommand(args, { env: environment(place), timeoutMs: 120_000 })
}

const first = {
  'up-1': {
    input_cost_per_token: 2.5e-6,
    cache_read_input_token_cost: 1.25e-6,
    output_cost_per_token: 1e-5,
    output_cost_per_token_batches: 5e-6,
    output_cost_per_reasoning_token: 4e-6,
    mode: 'chat',
  },
  'up-2': { input_cost_per_token: 7e-6 },
}
const second = { ...first, 'up-1': { input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 } }

function yaml(url: string): string {
  const target = (model: string) => `[{ driver: openai-compatible, base_url: "${url}", api_key: ${upstreamKey}, model: ${model} }]`
  return `prices_file: prices.json
models:
  - { id: m, family: chat, targets: ${target('up-1')} }
  - { id: hand, family: chat, price: { million_input_tokens: 1 }, targets: ${target('up-2')} }
  - { id: odd, family: chat, targets: ${target('up-3')} }
`
}

interface UsageLine {
  model: string
  unit: string
  units: number
  cost: number
}

/** Calls the model once. Waits until `calls` calls of the model are in the usage, and returns their
 *  total cost in millionths of the currency. */
async function costOf({ call }: TestGateway, model: string, calls = 1): Promise<number> {
  const ask = { model, messages: [{ role: 'user', content: 'hi' }] }
  const { status, body } = await call('/v1/ai/default/chat/completions', { body: ask })
  assert.equal(status, 200, JSON.stringify(body))
  return until(async () => {
    const lines: UsageLine[] = (await call('/v1/usage')).body.data.filter((line: UsageLine) => line.model === model)
    if (lines.find(({ unit }) => unit === 'requests')?.units !== calls) return undefined
    return Math.round(lines.reduce((sum, { cost }) => sum + cost * 1e6, 0))
  }, 'the usage')
}

test('imported prices are shown, take effect only after confirmation, and are charged', { timeout: 240_000 }, async () => {
  const upstream = await startFakeUpstream()
  after(() => upstream.close())
  upstream.answer(
    jsonReply({
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 1_000,
        completion_tokens: 100,
        prompt_tokens_details: { cached_tokens: 400 },
        completion_tokens_details: { reasoning_tokens: 60 },
      },
    }),
  )
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const config = yaml(upstream.baseUrl)
  const [list, place] = [join(folder, 'first.json'), join(dataDir, 'prices.json')]
  await writeFile(list, JSON.stringify(first))
  await assert.rejects(
    startTestGateway({ yaml: config, dataDir }),
    /line 1: .*prices\.json cannot be read: there is no such file\. Import prices/,
  )

  const shown = await run(dataDir, 'prices', 'import', list)
  assert.deepEqual([shown.code, shown.error], [0, ''])
  const table = shown.out.split('\n').map(line => line.split(/ {2,}/))
  assert.deepEqual(
    table.filter(([model]) => model === 'm').map(cells => cells.slice(1)),
    [
      ['million_input_tokens', '-', '2.5', 'up-1'],
      ['million_cached_input_tokens', '-', '1.25', 'up-1'],
      ['million_output_tokens', '-', '10', 'up-1'],
      ['million_reasoning_tokens', '-', '4', 'up-1'],
      ['up-1', 'batches'],
    ],
  )
  assert.match(shown.out, /Priced in the configuration file, which counts: hand\./)
  assert.match(shown.out, /Not in the list[\s\S]*odd +up-3 +up-\d/)
  assert.match(shown.out, /Nothing was changed\. Repeat the command with --yes/)
  await assert.rejects(access(place))
  const taken = await runAlone(dataDir, 'prices', 'import', list, '--yes')
  assert.deepEqual([taken.code, taken.error], [0, ''])
  assert.ok(taken.out.includes(`Written to ${place}.`), taken.out)

  await using gateway = await startTestGateway({ yaml: config, dataDir })
  const inForce = async () => {
    const { data } = (await gateway.call('/v1/models')).body
    return data.find(({ id }: { id: string }) => id === 'm').price
  }
  const prices = { million_input_tokens: 2.5, million_cached_input_tokens: 1.25, million_output_tokens: 10, million_reasoning_tokens: 4 }
  assert.deepEqual(await inForce(), { currency: 'USD', ...prices })
  // Cost in millionths of a dollar: 600 tokens at 2.5 dollars per million, 400 cached tokens at
  // 1.25, 40 output tokens at 10, and 60 reasoning tokens at 4.
  assert.equal(await costOf(gateway, 'm'), 2_640)
  assert.equal(await costOf(gateway, 'hand'), 1_000)
  assert.equal(await costOf(gateway, 'odd'), 0)

  await writeFile(list, JSON.stringify(second))
  const again = await run(dataDir, 'prices', 'import', list, '--yes')
  assert.match(again.out, /m +million_input_tokens +2\.5 +3 +up-1/)
  assert.match(again.out, /m +million_cached_input_tokens +1\.25 +- +up-1/)
  await until(async () => ((await inForce()).million_input_tokens === 3 ? true : undefined), 'the new prices')
  // The first call keeps its cost. The new list has no prices of cached and reasoning tokens, so
  // the second call costs 1000 x 3 (input) + 100 x 15 (output) millionths of a dollar.
  assert.equal(await costOf(gateway, 'm', 2), 2_640 + 4_500)
  assert.match((await run(dataDir, 'prices', 'import', list, '--yes')).out, /Nothing changes\./)
})

test('doctor and prices list name the models without a price', { timeout: 120_000 }, async () => {
  const place = await mkdtemp(join(folder, 'doctor-'))
  await writeFile(join(place, 'gateway.yaml'), yaml('http://127.0.0.1:9/v1'))
  await writeFile(join(place, 'list.json'), JSON.stringify(first))
  // The prices file may be a symbolic link. An import then writes to the file to which it links.
  await writeFile(join(place, 'kept.json'), '')
  await symlink('kept.json', join(place, 'prices.json'))
  assert.equal((await run(place, 'prices', 'import', join(place, 'list.json'), '--yes')).code, 0)
  assert.equal(JSON.parse(await readFile(join(place, 'kept.json'), 'utf8')).models.m.from, 'up-1')
  const listed = (await runAlone(place, 'prices', 'list')).out
  assert.match(listed, /m +million_output_tokens +10 +list: up-1\n/)
  assert.match(listed, /hand +million_input_tokens +1 +configuration file\n/)
  assert.match(listed, /odd +none\n/)
  const { out } = await run(place, 'doctor')
  assert.match(
    out,
    /prices +ok +1 of the configuration file; 1 imported \(list\.json, \d{4}-\d\d-\d\d\); no price, so its costs count as 0: odd\n/,
  )
})

test('invalid lists and arguments are refused and change nothing', { timeout: 240_000 }, async () => {
  const place = await mkdtemp(join(folder, 'wrong-'))
  const list = join(place, 'list.json')
  await writeFile(list, JSON.stringify({ 'up-1': { input_cost_per_token: -1 } }))
  const refused = async (expected: RegExp, ...args: string[]) => {
    const { code, error } = await run(place, 'prices', ...args)
    assert.equal(code, 1)
    assert.match(error, expected)
  }
  await refused(/cannot be read/, 'import', list, '--yes')
  await writeFile(join(place, 'gateway.yaml'), 'models: []\n')
  await refused(/does not say where imported prices are kept[\s\S]*prices_file: prices\.json/, 'import', list, '--yes')
  await writeFile(join(place, 'gateway.yaml'), yaml('http://127.0.0.1:9/v1'))
  await refused(/up-1: input_cost_per_token is -1/, 'import', list, '--yes')
  await refused(/--rate is "0"; it must be a decimal number above 0/, 'import', list, '--rate', '0')
  await writeFile(list, JSON.stringify(first))
  await writeFile(join(place, 'gateway.yaml'), yaml('http://127.0.0.1:9/v1').replace('prices.json', 'gateway.yaml'))
  await refused(/gateway\.yaml is not JSON[\s\S]* It is not overwritten/, 'import', list, '--yes')
  assert.match(await readFile(join(place, 'gateway.yaml'), 'utf8'), /^prices_file: gateway\.yaml/)
  await writeFile(join(place, 'gateway.yaml'), yaml('http://127.0.0.1:9/v1').replace('prices.json', 'large.json'))
  await writeFile(join(place, 'large.json'), ' '.repeat(17 * 1024 * 1024))
  await refused(/large\.json has more than 16 MB[\s\S]* It is not overwritten/, 'import', list, '--yes')
  await refused(/There is no command gateway prices imprt/, 'imprt', list)
  await assert.rejects(access(join(place, 'prices.json')))
  const help = await run(place, 'prices', '--help')
  assert.equal(help.code, 0)
  assert.match(help.out, /gateway prices import FILE[\s\S]*--yes/)
})
