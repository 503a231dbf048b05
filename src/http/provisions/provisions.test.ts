/** A handler's context provides exactly the parts that the operation declares as its needs. The
 *  compiler enforces this, and the running program behaves the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { defaultFailure } from '../../contract/failure.ts'
import { defineFamily, implement, operation } from '../../contract/family.ts'
import type { NeedName } from '../../contract/needs/index.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import { provisions } from './index.ts'

const seen = Type.Object({ needs: Type.Array(Type.String()), voices: Type.Integer() }, { name: 'SeenNeeds' })
const looking = { method: 'GET', source: 'ours', summary: 'Needs', reply: { schema: seen } } as const

const curious = defineFamily({
  id: 'curious',
  title: 'Curious',
  source: 'tests',
  description: 'Tells what its contexts hold.',
  models: [],
  deadlineMs: 1000,
  linkLifetimeMs: 1000,
  keepMs: 1000,
  failure: defaultFailure,
  isOpen: true,
  operations: {
    plain: operation({ ...looking, operationId: 'seePlain', path: '/v1/plain', examples: [] }),
    voices: operation({ ...looking, operationId: 'seeVoices', path: '/v1/with-voices', needs: ['voices', 'section'], examples: [] }),
  },
})

const needsIn = (context: object): string[] => Object.keys(provisions).filter(name => name in context)

const entry = implement(curious, {
  plain: async context => {
    // @ts-expect-error: the operation does not declare the need.
    const missing: unknown = context.voices
    return { needs: needsIn(context), voices: missing === undefined ? 0 : 1 }
  },
  voices: async context => ({ needs: needsIn(context), voices: context.voices.ofTargets().length }),
})

// @ts-expect-error: there is no such need.
const unknown: NeedName = 'weather'

test('a context has the needs that its operation declares, and no others', async () => {
  await using gateway = await startTestGateway({ families: [entry] })
  const plain = await gateway.call('/v1/plain')
  assert.deepEqual([plain.status, plain.body], [200, { needs: [], voices: 0 }])
  const voices = await gateway.call('/v1/with-voices')
  assert.deepEqual([voices.status, voices.body], [200, { needs: ['section', 'voices'], voices: 0 }])
  assert.equal(unknown in provisions, false)
})
