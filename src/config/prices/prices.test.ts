/** Tests what an import of prices reads, matches and refuses. src/cli/prices.test.ts runs the
 *  command. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nodeRoles } from '../../core/records/node.ts'
import { drivers as upstreamDrivers } from '../../drivers/index.ts'
import { knownEngines } from '../../engine-runs/known-engines.ts'
import { families } from '../../families/index.ts'
import { loadConfigFile } from '../config-file.ts'
import { type ImportPlan, planImport } from './import-plan.ts'
import { readPriceList } from './price-list.ts'
import { parsePrices, readPricesText, writePrices } from './prices-file.ts'
import { shown } from './shown.ts'

const folder = await mkdtemp(join(tmpdir(), 'gateway-prices-'))
after(() => rm(folder, { recursive: true, force: true }))
const { engines, missingEngines } = await knownEngines(nodeRoles)
const drivers = [...engines, ...upstreamDrivers]
const listPath = join(folder, 'list.json')

const target = (model: string, url = 'https://llm.example/v1') => `{ driver: openai-compatible, base_url: "${url}", model: "${model}" }`
const chatModel = (id: string, ...targets: string[]) => `  - { id: ${id}, family: chat, targets: [${targets.join(', ')}] }\n`

/** Plans the import of a list for the models of a configuration file. */
async function plan(
  models: string,
  list: object | string,
  { head = '', before = undefined as ImportPlan['prices'] | undefined, rate = undefined as number | undefined } = {},
): Promise<ImportPlan> {
  const config = join(folder, 'gateway.yaml')
  await writeFile(config, `${head}models:\n${models}`)
  await writeFile(listPath, typeof list === 'string' ? list : JSON.stringify(list))
  const { file, models: loaded } = loadConfigFile(config, { families, drivers, missingEngines }, {})
  return planImport(readPriceList(listPath), { file, models: loaded, drivers, before, rate, now: 0 })
}

async function refusal(models: string, list: object | string, options = {}): Promise<string> {
  return plan(models, list, options).then(
    () => assert.fail('the list was taken'),
    (error: Error) => error.message.replaceAll(listPath, 'LIST'),
  )
}

const one = chatModel('m', target('up-1'))

test('the units of the list become those of the ledger, with their exact decimals', async () => {
  const picture = (id: string, model: string) =>
    `  - { id: ${id}, family: F1, group: P, targets: [{ driver: bfl, api_key: k-000000000001, model: ${model} }] }\n`
  const { prices, left } = await plan(
    one +
      chatModel('parts', target('free-parts')) +
      chatModel('claude', target('claude-1')) +
      picture('pic', 'flux') +
      picture('dots', 'pixels') +
      '  - { id: ear, family: R1, targets: [{ driver: openai-compatible, base_url: "https://api.openai.com/v1", model: whisper-1 }] }\n' +
      '  - { id: vectors, family: embeddings, targets: [{ driver: openai-compatible, base_url: "https://api.openai.com/v1", model: embed-1 }] }\n' +
      '  - { id: order, family: rerank, targets: [{ driver: openai-compatible, base_url: "https://api.cohere.com/v2", model: rerank-1 }] }\n' +
      '  - { id: voice, family: T1, targets: [{ driver: openai-compatible, base_url: "https://api.openai.com/v1", model: tts-1 }] }\n',
    {
      sample_spec: { input_cost_per_token: 'explained' },
      'up-1': {
        input_cost_per_token: 1.1e-7,
        cache_read_input_token_cost: 7e-8,
        output_cost_per_token: 3.6000000000000003e-6,
        output_cost_per_reasoning_token: 2e-6,
        cache_creation_input_token_cost: 3e-6,
        cache_creation_input_token_cost_above_1hr: 6e-6,
        input_cost_per_token_priority: 1.925e-7,
        output_cost_per_token_priority: 6.3e-6,
        cache_read_input_token_cost_priority: 1.225e-7,
        input_cost_per_token_flex: 5.5e-8,
        output_cost_per_token_flex: 3e-6,
        input_cost_per_token_above_200k_tokens: 2.2e-7,
        input_cost_per_token_batches: 5e-8,
        search_context_cost_per_query: {
          search_context_size_low: 0.005,
          search_context_size_medium: 0.008,
          search_context_size_high: 0.012,
        },
        max_tokens: 4096,
        mode: 'chat',
      },
      'claude-1': {
        litellm_provider: 'anthropic',
        input_cost_per_token: 5e-6,
        output_cost_per_token: 2.5e-5,
        search_context_cost_per_query: { search_context_size_low: 0.01, search_context_size_medium: 0.01, search_context_size_high: 0.01 },
        provider_specific_entry: { us: 1.1, fast: 6 },
      },
      'black_forest_labs/flux': { output_cost_per_image: 0.07, output_cost_per_token: 1e-6, input_cost_per_token: 0 },
      'black_forest_labs/pixels': { input_cost_per_pixel: 3.81469e-8, output_cost_per_pixel: 0 },
      'whisper-1': { litellm_provider: 'openai', input_cost_per_second: 0.0001, output_cost_per_second: 0.0001 },
      'free-parts': {
        input_cost_per_token: 1e-6,
        cache_read_input_token_cost: 0,
        cache_creation_input_token_cost: 0,
        output_cost_per_reasoning_token: 0,
      },
      'embed-1': { litellm_provider: 'openai', input_cost_per_token: 2e-8, output_cost_per_token: 0 },
      'rerank-1': { litellm_provider: 'cohere', input_cost_per_query: 0.002, input_cost_per_token: 0 },
      'tts-1': { litellm_provider: 'openai', input_cost_per_character: 1.5e-5 },
    },
  )
  assert.deepEqual(Object.fromEntries(Object.entries(prices.models).map(([id, { price }]) => [id, price])), {
    m: {
      million_input_tokens: 0.11,
      million_cached_input_tokens: 0.07,
      million_cache_write_tokens: 3,
      million_long_cache_write_tokens: 6,
      million_output_tokens: 3.6,
      million_reasoning_tokens: 2,
      priority_factor: 1.75,
      search: 0.012,
    },
    claude: { million_input_tokens: 5, million_output_tokens: 25, fast_factor: 6, search: 0.01 },
    // In the list, the prices of cached, written and reasoning tokens are 0, so these tokens cost
    // the price of the tokens of which they are a part.
    parts: { million_input_tokens: 1 },
    pic: { image: 0.07 },
    dots: { megapixel: 0.0381469 },
    ear: { second: 0.0001 },
    vectors: { million_input_tokens: 0.02, million_output_tokens: 0 },
    order: { thousand_search_units: 2 },
    voice: { thousand_characters: 0.015 },
  })
  assert.deepEqual(left, [
    {
      model: 'm',
      from: 'up-1',
      fields: [
        // These two prices are not the usual prices times one common factor.
        'input_cost_per_token_flex',
        'output_cost_per_token_flex',
        'input_cost_per_token_above_200k_tokens',
        'input_cost_per_token_batches',
      ],
    },
    { model: 'pic', from: 'black_forest_labs/flux', fields: ['output_cost_per_token'] },
  ])
})

test('a target has the price of its own provider, and none of another one', async () => {
  const list = {
    'gpt-x': { litellm_provider: 'openai', input_cost_per_token: 1e-6 },
    'azure/gpt-x': { litellm_provider: 'azure', input_cost_per_token: 2e-6 },
    'azure/eu/gpt-x': { litellm_provider: 'azure', input_cost_per_token: 3e-6 },
    'claude-x': { litellm_provider: 'anthropic', input_cost_per_token: 5e-6 },
    'groq/llama': { litellm_provider: 'groq', input_cost_per_token: 4e-6 },
  }
  const { prices, unknown, notes } = await plan(
    chatModel('own', target('gpt-x', 'https://api.openai.com/v1'), target('gpt-x', 'https://me.openai.azure.com/openai/v1')) +
      chatModel('azure', target('gpt-x', 'https://me.openai.azure.com/openai/v1')) +
      chatModel('groq', target('gpt-x', 'https://api.groq.com/openai/v1')) +
      chatModel('house', target('gpt-x')) +
      chatModel('claude', '{ driver: anthropic, base_url: "https://proxy.example", api_key: k-000000000001, model: claude-x }') +
      chatModel('elsewhere', target('llama')) +
      `  - { id: named, family: chat, price_list_name: groq/llama, targets: [${target('any')}] }\n` +
      chatModel('free', '{ driver: text }'),
    list,
  )
  assert.deepEqual(Object.fromEntries(Object.entries(prices.models).map(([id, { from }]) => [id, from])), {
    own: 'gpt-x',
    azure: 'azure/gpt-x',
    house: 'gpt-x',
    claude: 'claude-x',
    named: 'groq/llama',
  })
  assert.deepEqual(
    unknown.map(({ model, wanted, kept }) => [model, wanted, kept]),
    [
      ['groq', 'gpt-x', false],
      ['elsewhere', 'llama', false],
    ],
  )
  assert.deepEqual(unknown[1]?.near, ['groq/llama'])
  assert.deepEqual(notes, [
    'own: its other targets azure/gpt-x have other prices in the list; all count as gpt-x.',
    'azure: the list also has azure/eu/gpt-x, with prices of their own.',
  ])
})

test('changes are listed, prices of the configuration file stay, and no price is lost when its name disappears from the list', async () => {
  const models = one + chatModel('gone', target('old')) + chatModel('same', target('same-1'))
  const first = await plan(models, {
    'up-1': { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
    old: { input_cost_per_token: 3e-6 },
    'same-1': { input_cost_per_token: 5e-6 },
  })
  assert.deepEqual([first.changes.length, first.unchanged], [4, 0])
  const byHand = `  - { id: m, family: chat, price: { million_input_tokens: 9 }, targets: [${target('up-1')}] }\n`
  const list = { 'up-1': { input_cost_per_token: 1.5e-6 }, 'same-1': { input_cost_per_token: 5e-6 } }
  const second = await plan(models, list, { before: first.prices })
  assert.deepEqual(second.changes, [
    { model: 'm', unit: 'million_input_tokens', before: 1, after: 1.5, from: 'up-1' },
    { model: 'm', unit: 'million_output_tokens', before: 2, after: undefined, from: 'up-1' },
  ])
  assert.deepEqual([second.unchanged, second.unknown.map(({ model, kept }) => [model, kept])], [2, [['gone', true]]])
  assert.equal(second.prices.models.gone?.price.million_input_tokens, 3)
  const third = await plan(byHand, list, { before: first.prices })
  assert.deepEqual(third.setByHand, ['m'])
  assert.deepEqual(third.prices.models, {})
})

test('invalid prices are refused by name, also for models that are not configured', async () => {
  for (const [value, said] of [
    ['-1e-9', '-1e-9'],
    ['1e999', 'Infinity'],
    ['1.1', '1.1'],
    ['"2e-6"', '"2e-6"'],
    ['{"low":1}', '{"low":1}'],
    ['[1]', '[1]'],
    ['true', 'true'],
  ] as const) {
    const message = await refusal(one, `{"up-1":{"input_cost_per_token":${value}}}`)
    assert.equal(
      message,
      `The list list.json has wrong prices; nothing was changed.\nup-1: input_cost_per_token is ${said}; it must be a number, at least 0, and at most 1000000 as million_input_tokens.`,
    )
  }
  const { notes, prices } = await plan(one, { 'up-1': { input_cost_per_token: 1 }, 'x\u001b[31m': { output_cost_per_token: -1 } })
  assert.equal(prices.models.m?.price.million_input_tokens, 1_000_000)
  assert.deepEqual(notes, [
    'Wrong prices of models that are not configured here, which are passed over: x\\u{1b}[31m: output_cost_per_token.',
  ])
})

test('a list that is too large, too deep or no list is refused before it uses memory', async () => {
  const cases: [string | object, RegExp][] = [
    ['{"up-1":{"input_cost_per_token": NaN}}', /^LIST is not JSON: .*NaN/],
    ['{', /^LIST is not JSON: /],
    ['', /^LIST is not JSON: /],
    ['[]', /^LIST has no prices: it must be a JSON object/],
    [{}, /^LIST has no models\.$/],
    [{ m: 7 }, /^LIST: m must be an object/],
    [{ m: null }, /^LIST: m must be an object/],
    [`{"m":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`, /^LIST has more than 16 levels\.$/],
    [`{"m":{"a":[${'{},'.repeat(1_500_000)}{}]}}`, /^LIST has more than 1000000 values\.$/],
    [`{"m":"${'x'.repeat(17 * 1024 * 1024)}"}`, /^LIST has more than 16 MB/],
    [Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`m${index}`, {}])), /^LIST has 100001 models; at most 100000\.$/],
  ]
  for (const [list, expected] of cases) assert.match(await refusal(one, list), expected)
  assert.throws(() => readPriceList(join(folder, 'none.json')), /none\.json cannot be read: there is no such file\.$/)
  assert.throws(() => readPriceList('/dev/zero'), /^GatewayError: \/dev\/zero has more than 16 MB/)
  assert.equal((await plan(one, `\uFEFF{"up-1":{"input_cost_per_token":0}}`)).prices.models.m?.price.million_input_tokens, 0)
})

test('a currency other than that of the list needs a rate', async () => {
  const euros = { head: 'currency: EUR\n' }
  const list = { 'up-1': { input_cost_per_token: 1e-6 } }
  assert.match(await refusal(one, list, euros), /prices in USD, and the configuration file is in EUR: add --rate with the EUR for 1 USD/)
  const { prices } = await plan(one, list, { ...euros, rate: 0.9 })
  assert.deepEqual([prices.currency, prices.list.rate, prices.models.m?.price], ['EUR', 0.9, { million_input_tokens: 0.9 }])
})

test('the prices file is checked like the configuration file, and replaced as a whole', async () => {
  const { prices } = await plan(one, { 'up-1': { input_cost_per_token: 1e-6 } })
  const place = join(folder, 'prices.json')
  await writePrices(place, prices)
  assert.deepEqual(parsePrices(place, readPricesText(place)), prices)
  const config = join(folder, 'gateway.yaml')
  await writeFile(config, `prices_file: prices.json\nmodels:\n${one}`)
  const load = () => loadConfigFile(config, { families, drivers, missingEngines }, {})
  assert.deepEqual(load().models[0]?.price, { input_tokens: 1 })
  const refused = async (text: string, expected: RegExp) => {
    await writeFile(place, text)
    assert.throws(load, expected)
  }
  const written = JSON.stringify(prices)
  await refused(written.slice(0, -20), /gateway\.yaml, line 1: .*prices\.json is not JSON/)
  await refused(written.replace('"million_input_tokens":1', '"million_input_tokens":-1'), /million_input_tokens is -1/)
  await refused(written.replace('"million_input_tokens":1', '"million_words":1'), /million_words is not known/)
  await refused(written.replace('"USD"', '"EUR"'), /prices in EUR, and the configuration file is in USD: import them again/)
  await rm(place)
  assert.throws(load, /line 1: .*prices\.json cannot be read: there is no such file\. Import prices \(gateway prices import\)/)
  await writeFile(config, `models:\n  - { id: m, family: chat, price: {}, price_list_name: x, targets: [${target('up-1')}] }\n`)
  assert.throws(load, /line 2: price_list_name is for models without a price/)
})

test('text in a list cannot control the terminal', () => {
  assert.equal(shown('a\u001b]0;x\u0007\u202eb\u200bc'), 'a\\u{1b}]0;x\\u{7}\\u{202e}b\\u{200b}c')
  assert.equal(shown('é 模型 "q"'), 'é 模型 "q"')
})
