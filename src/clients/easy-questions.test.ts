/** Sends the default model, with its default settings, the questions that a new user tries
 *  first. The answers are random draws, and nearly every draw is right; docs/decisions/0006 has
 *  the figures, also for questions that the model cannot answer. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { linkPack, needPack } from '../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'

const questions: readonly [question: string, answer: RegExp][] = [
  ['What is the capital of France?', /Paris/],
  ['What is 12 times 12?', /144/],
  ['How many days are there in a week?', /\b(7|seven)\b/i],
  ['What is the opposite of "hot"?', /cold/i],
  ['What is the chemical formula of water?', /H2O|H₂O|H_2O|H_\{2\}O/],
  ['What is the largest ocean on Earth?', /Pacific/],
  ['How many minutes are in an hour?', /\b(60|sixty)\b/i],
  ['一周有几天？', /7|七/],
  ['日本的首都是哪里？', /东京/],
  ['3乘以5等于多少？', /15|十五/],
]

const tools = [
  toolOf('get_weather', 'Current weather of a city', 'city'),
  toolOf('calculate', 'Works out an arithmetic expression', 'expression'),
  toolOf('get_time', 'Current time in a city', 'city'),
]
const toolQuestions: readonly [question: string, tool: string][] = [
  ['What is the weather in Paris?', 'get_weather'],
  ['What is 1234 * 5678?', 'calculate'],
  ['What time is it in New York?', 'get_time'],
]

function toolOf(name: string, description: string, field: string) {
  return {
    type: 'function',
    name,
    description,
    parameters: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  }
}

let packsDir: string
let gateway: TestGateway
before(async () => {
  packsDir = await mkdtemp(join(tmpdir(), 'gateway-easy-questions-'))
  await linkPack('text-0.5b', packsDir)
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '2', GATEWAY_PACKS_DIR: packsDir } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(packsDir, { recursive: true, force: true })
})

test('with default settings, the default model answers nine of ten easy questions', {
  ...needPack('text-0.5b'),
  timeout: 600_000,
}, async () => {
  const chat = async (content: string, seed: number): Promise<string> => {
    const { body } = await gateway.call('/v1/chat/completions', { body: { messages: [{ role: 'user', content }], seed } })
    assert.equal(body.model, 'qwen2.5-coder-0.5b-instruct')
    return body.choices[0].message.content
  }
  const responses = async (input: string): Promise<string> => {
    const { body } = await gateway.call('/v1/responses', { body: { input } })
    assert.deepEqual([body.model, body.temperature, body.top_p], ['qwen2.5-coder-0.5b-instruct', 0.7, 0.8])
    return body.output[0].content[0].text
  }
  const ask = (question: string, index: number, seed: number) => (index % 2 === 0 ? chat(question, seed) : responses(question))
  const answers = await Promise.all(
    questions.map(async ([question, right], index) => {
      const answer = await ask(question, index, index)
      // About 3 of 100 random answers are wrong, so a question is asked once more when its first
      // answer was wrong.
      return right.test(answer) ? answer : ask(question, index, questions.length + index)
    }),
  )
  const wrong = answers.filter((answer, index) => questions[index]?.[1].test(answer) !== true)
  assert.ok(wrong.length <= 1, `wrong: ${wrong.join(' | ')}`)
})

test('with default settings, the default model calls tools by itself, at temperature 0', {
  ...needPack('text-0.5b'),
  timeout: 600_000,
}, async () => {
  for (const [input, tool] of toolQuestions) {
    const { body } = await gateway.call('/v1/responses', { body: { input, tools } })
    assert.deepEqual([body.output[0].name, body.temperature], [tool, 0], JSON.stringify(body.output))
  }
})
