/** Tests that signatures come back in the next turn of generateContent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { says } from '../../testing/fakes/fake-text-driver.ts'
import { requested, startBeforeTests } from '../../testing/fakes/scripted-model.ts'
import { ask, hello, partsIn, response, stream, tools, turn } from './testing/ask-content.ts'

startBeforeTests()

test('data that another target requires back is returned in the next turn, also when the client drops thoughts', async () => {
  const from = { protocol: 'responses', dialect: 'openai', host: 'h', model: 'm' } as const
  async function* carries() {
    yield { type: 'reasoning', part: 'summary', delta: 'Hm.' } as const
    yield { type: 'reasoning-end', encrypted: 'gAAA', id: 'rs_1' } as const
    yield { type: 'reasoning-end', encrypted: 'gBBB', id: 'rs_2' } as const
    yield { type: 'carried', carried: { members: { note: 'n' }, from } } as const
    yield { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' } as const
    yield { type: 'call', index: 1, kind: 'function', callId: 'c2', name: 'weather' } as const
    yield { type: 'carried', call: 1, carried: { members: { extra: 1 }, from } } as const
    yield { type: 'finish', finish: 'tool_calls' } as const
  }
  const { body } = await ask(carries, { tools })
  const { parts } = body.candidates[0].content
  assert.deepEqual(
    parts.map(({ thoughtSignature, ...rest }: { thoughtSignature?: string }) => [thoughtSignature !== undefined, Object.keys(rest)[0]]),
    [
      [true, 'text'],
      [true, 'functionCall'],
      [false, 'functionCall'],
    ],
  )
  assert.deepEqual(partsIn(await stream(carries, { tools })), parts)
  await ask(() => says('ok'), { tools, contents: [...hello.contents, turn(parts), response(['a', 'b'])] })
  const [first, second, one, two] = requested[0]?.items.slice(1) ?? []
  assert.deepEqual(first, { type: 'reasoning', summary: ['Hm.'], content: [], encrypted: 'gAAA', id: 'rs_1' })
  const { carried, ...rest } = second as { carried: { members: object } }
  assert.deepEqual(rest, { type: 'reasoning', summary: [], content: [], encrypted: 'gBBB', id: 'rs_2' })
  assert.deepEqual(carried.members, { note: 'n' })
  assert.deepEqual(one, { type: 'call', kind: 'function', callId: 'c1', name: 'weather', input: '{}' })
  assert.deepEqual(two, {
    type: 'call',
    kind: 'function',
    callId: 'c2',
    name: 'weather',
    input: '{}',
    carried: { members: { extra: 1 }, from },
  })
})

test('signatures of a target with this protocol are relayed unchanged', async () => {
  const from = { protocol: 'generate-content', dialect: 'basic', host: 'h', model: 'm' } as const
  async function* signs() {
    yield { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' } as const
    yield { type: 'carried', call: 0, carried: { members: { thoughtSignature: 'c2ln' }, from } } as const
    yield { type: 'finish' } as const
  }
  const { body } = await ask(signs, { tools })
  assert.deepEqual(body.candidates[0].content.parts, [{ functionCall: { id: 'c1', name: 'weather', args: {} }, thoughtSignature: 'c2ln' }])
  await ask(() => says('ok'), {
    tools,
    contents: [...hello.contents, turn([...body.candidates[0].content.parts, { text: 'a', thoughtSignature: 'dGV4' }]), response(['a'])],
  })
  const [, call, text] = requested[0]?.items ?? []
  const any = { protocol: 'generate-content', dialect: '', host: '', model: '' }
  assert.deepEqual('carried' in call! && call.carried, { members: { thoughtSignature: 'c2ln' }, from: any })
  assert.deepEqual('carried' in text! && text.carried, { members: { thoughtSignature: 'dGV4' }, from: any })
})
