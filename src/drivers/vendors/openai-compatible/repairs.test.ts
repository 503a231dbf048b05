/** Tests calls of custom tools whose text does not match the grammar of the tool. Such a call is
 *  requested from the model once more, and the usage of that request is counted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { errorReply, type FakeReply, resetReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { joined, reportOf, runText, textRequest } from '../../../testing/fakes/fake-upstream-run.ts'
import { chatFrames, type FakeSpeech } from '../../../testing/fakes/fake-upstream-text.ts'
import driver from './driver.ts'

const tools: TextRequest['tools'] = [{ kind: 'custom', name: 'dial', grammar: { syntax: 'regex', definition: '[0-9]{3}' } }]
const usage = { input: 10, output: 2 }
const counts = (inputTokens: number, outputTokens: number) => ({ inputTokens, cachedInputTokens: 0, outputTokens, reasoningTokens: 0 })
const says = (speech: FakeSpeech): FakeReply => sseReply(chatFrames({ usage, ...speech }))
const dials = (...inputs: string[]): FakeSpeech => ({ calls: inputs.map(input => ({ name: 'dial', input: JSON.stringify({ input }) })) })
const toolChoice: TextRequest['toolChoice'] = { mode: 'auto', only: ['dial'] }
const run = (...replies: FakeReply[]) => runText(driver, { dialect: 'basic' }, textRequest({ tools, toolChoice }), ...replies)
const inputsOf = (events: readonly TextEvent[]) => joined(events).flatMap(event => (event.type === 'call-input' ? [event.delta] : []))

test('of several invalid calls in an answer only the first is requested again', async () => {
  const answer = await run(says(dials('1234', '5678', '12', '123')), says(dials('456')))
  assert.deepEqual([inputsOf(answer.events), answer.bodies.length], [['456', '5678', '12', '123'], 2])
  assert.deepEqual(reportOf(answer).usage, counts(20, 4))
})

test('a repair that only calls another tool counts as well', async () => {
  const answer = await run(says(dials('1234')), says({ calls: [{ name: 'other', input: '{}' }] }))
  assert.deepEqual(inputsOf(answer.events), ['1234'])
  assert.deepEqual(reportOf(answer).usage, counts(20, 4))
})

test('a repair that breaks off counts as an estimate, and a refused one counts nothing', async () => {
  const broken = await run(says(dials('1234')), resetReply(chatFrames(dials('45')).slice(0, 3)))
  assert.deepEqual(inputsOf(broken.events), ['1234'])
  const { inputTokens, outputTokens } = Object(reportOf(broken).usage)
  assert.ok(inputTokens > 20 && outputTokens > 2, `${inputTokens} and ${outputTokens}`)
  const refused = await run(says(dials('1234')), errorReply(500, {}))
  assert.deepEqual(reportOf(refused).usage, counts(10, 2))
})
