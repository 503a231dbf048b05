import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type DriverSpec, defineDriver, once } from '@generation-gateway/kit/driver.ts'
import Type from 'typebox'
import { packManifest } from '../packs/installed.ts'
import { findPack } from '../packs/packs.ts'
import { linkPack, needPack } from '../packs/testing/need-pack.ts'
import { putHollowPack } from '../packs/testing/pack-tools.ts'
import { donePixel } from '../testing/fakes/fake-driver.ts'
import { startTestGateway } from '../testing/gateway.ts'

const small = 'smollm2-135m-instruct'
const middle = 'qwen2.5-coder-0.5b-instruct'
const large = 'qwen2.5-coder-1.5b-instruct'
const question = { messages: [{ role: 'user', content: 'What is the capital of France?' }], temperature: 0, max_tokens: 8 }

let packsDir: string
beforeEach(async () => {
  packsDir = await mkdtemp(join(tmpdir(), 'gateway-default-models-'))
})
afterEach(() => rm(packsDir, { recursive: true, force: true }))

test('a request without a model uses the best installed pack, and the answer names it', needPack('text-135m'), async () => {
  const yaml = `
accounts:
  - id: acme
    keys:
      - { name: all, secret: sk-all-models-000001 }
      - { name: narrow, secret: sk-narrow-key-000001, scopes: { models: [${small}] } }
    endpoints: [{ name: routed, routes: { chat: { model: ${small} } } }, { name: free }]
`
  const env = { GATEWAY_ENGINE_WORKERS: '1', GATEWAY_PACKS_DIR: packsDir }
  await using gateway = await startTestGateway({ env, yaml })
  const ask = (body: object = question) => gateway.call('/v1/chat/completions', { body })
  const defaults = async () => {
    const { chat, responses } = (await gateway.call('/readyz')).body.defaults
    return [chat, responses]
  }
  const nothing = await ask()
  assert.equal(nothing.status, 503)
  assert.match(nothing.body.error.message, /^qwen2\.5-coder-0\.5b-instruct cannot be used now\..*text-0\.5b.*npm run setup adds it/)
  assert.deepEqual(await defaults(), [middle, middle])

  await linkPack('text-135m', packsDir)
  assert.deepEqual(await defaults(), [small, small])
  const answer = await ask()
  assert.equal(answer.body.model, small)
  assert.match(answer.body.choices[0].message.content, /Paris/)

  await putHollowPack(packsDir, findPack('text-0.5b', packManifest))
  assert.deepEqual(await defaults(), [middle, middle])
  await putHollowPack(packsDir, findPack('text-1.5b', packManifest))
  assert.deepEqual(await defaults(), [large, large])
  const listed = (await gateway.call('/v1/models')).body.data.filter(
    ({ families, alias_of }: { families: string[]; alias_of?: string }) => families.includes('chat') && alias_of === undefined,
  )
  assert.deepEqual(
    listed.map(({ id, available }: { id: string; available: boolean }) => [id, available]),
    [middle, small, large].map(id => [id, true]),
  )

  assert.equal((await ask({ ...question, model: small })).body.model, small)
  const routed = await gateway.call('/v1/ai/routed/chat/completions', { body: question, key: 'sk-all-models-000001' })
  assert.equal(routed.body.model, small, 'the model that a route names')
  const narrow = await gateway.call('/v1/ai/free/chat/completions', { body: question, key: 'sk-narrow-key-000001' })
  assert.equal(narrow.body.model, small, 'the best that the key may use')
})

/** Returns a second engine for pictures. It records the models that the gateway orders it to
 *  keep loaded. */
function holdingEngine(held: string[][], isBroken = false): DriverSpec {
  return defineDriver({
    id: 'holding',
    title: 'Holding engine',
    kind: 'engine',
    settings: Type.Object({}),
    capabilities: ['image.generate'],
    open: () => ({
      id: 'holding',
      title: 'Holding engine',
      queue: { name: 'engine:holding', slots: 1 },
      offers: { 'image.generate': once(donePixel) },
      hold: targets => {
        held.push(targets.map(({ model }) => model))
        if (isBroken) throw new Error('no memory')
      },
    }),
  })
}

test('engines open the default models at the start, if configured; one that fails does not delay the start', async () => {
  for (const [isWanted, isBroken] of [
    ['1', false],
    ['1', true],
    ['0', false],
  ] as const) {
    const held: string[][] = []
    const env = { GATEWAY_ENGINE_PRELOAD: isWanted, GATEWAY_PACKS_DIR: packsDir }
    await using gateway = await startTestGateway({ env, drivers: [holdingEngine(held, isBroken)] })
    const references = ['N1', 'N2', 'N3', 'O1'].map(group => `MaaS_ImgS_${group}`)
    const wanted = [
      'MaaS_ImgF_P',
      'MaaS_ImgF_KG',
      'MaaS_ImgB_fast',
      'MaaS_ImgB_large',
      ...references,
      'MaaS_Art_v7',
      'studio',
      'MaaS_VidK_Omni_Image',
    ]
    assert.deepEqual(held, isWanted === '1' ? [wanted] : [])
    assert.equal((await gateway.call('/readyz')).status, 200)
  }
})
