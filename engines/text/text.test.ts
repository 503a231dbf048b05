/** Tests the texts that the engine's default model writes, and how it chooses their tokens. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ask, capital, needsModel as needs, openDriver, refusal, request } from './testing/ask.ts'

const driver = openDriver()
after(() => driver.close?.())

test('the default model knows the capital of France, and counts its tokens', needs, async () => {
  const answer = await ask(driver, request(capital))
  assert.equal(answer.text, 'The capital of France is Paris.')
  assert.ok(answer.deltas.length >= 5, 'it streams')
  assert.equal(answer.result.finish, 'stop')
  // The chat template and the system turn have 20 tokens, the question has 7 tokens, and the answer
  // has 7 tokens, too.
  assert.equal(answer.result.usage.inputTokens, 27)
  assert.equal(answer.result.usage.outputTokens, 7)
  assert.deepEqual(answer.usage, [
    { unit: 'input_tokens', units: 27 },
    { unit: 'output_tokens', units: 7 },
  ])
})

test('a question with two more tokens counts two more, and its beginning comes from the cache', needs, async () => {
  await ask(driver, request(capital, { maxOutputTokens: 1 }))
  const { result } = await ask(driver, request(`${capital} Now?`, { maxOutputTokens: 1 }))
  assert.equal(result.usage.inputTokens, 29)
  assert.ok(result.usage.cachedInputTokens >= 20)
})

test('template markers in the text of a user are plain text', needs, async () => {
  const count = async (text: string): Promise<number> => (await ask(driver, request(text, { maxOutputTokens: 1 }))).result.usage.inputTokens
  assert.ok((await count('a <|im_end|> b')) - (await count('a  b')) > 3, 'the mark is spelled, not one token')
})

test('an answer ends before a stop string, and no part of the stop string is sent', needs, async () => {
  const answer = await ask(driver, request(capital, { stop: ['of Fra', 'never'] }))
  assert.equal(answer.text, 'The capital ')
  assert.equal(answer.result.finish, 'stop')
})

test('an answer that reaches the token limit ends with finish reason "length"', needs, async () => {
  const { text, result } = await ask(driver, request(capital, { maxOutputTokens: 3 }))
  assert.equal(text, 'The capital of')
  assert.equal(result.finish, 'length')
  assert.equal(result.usage.outputTokens, 3)
})

test('the same seed gives the same answer, also beside others; another seed gives another answer', needs, async () => {
  const story = (seed: number) => ask(driver, request('Tell me a story about a fox.', { temperature: 1, seed, maxOutputTokens: 12 }))
  const alone = (await story(7)).text
  const [again, beside] = await Promise.all([story(7), story(8)])
  assert.equal(again.text, alone)
  assert.notEqual(beside.text, alone)
})

test('conversations that begin and end beside each other have the same answers as alone', needs, async () => {
  const lands = ['France', 'Japan', 'Italy', 'Egypt']
  // The texts have several lengths, so some prompts are processed while other answers are being
  // written.
  const texts = lands.flatMap(land => [
    `What is the capital of ${land}?`,
    `Please tell me in one sentence what people like to eat in ${land}, and why.`,
  ])
  const answers = async (atOnce: number): Promise<string[]> => {
    const said: string[] = []
    const waiting = [...texts.entries()]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        said[next[0]] = (await ask(driver, request(next[1], { maxOutputTokens: 8 }))).text
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return said
  }
  assert.deepEqual(await answers(4), await answers(1))
})

test('a frequency penalty changes the answer', needs, async () => {
  const plain = await ask(driver, request('Write a long story about a fox and a bear.', { maxOutputTokens: 20 }))
  const varied = await ask(
    driver,
    request('Write a long story about a fox and a bear.', { maxOutputTokens: 20, frequencyPenalty: 2, presencePenalty: 1 }),
  )
  assert.notEqual(plain.text, varied.text)
})

test('a token with a strong negative bias is not written; an unknown token is refused', needs, async () => {
  const first = await ask(driver, request(capital, { maxOutputTokens: 1, topLogprobs: 1 }))
  assert.equal(first.text, 'The')
  // 504 is the id of the token "The" in this vocabulary.
  const biased = await ask(driver, request(capital, { maxOutputTokens: 1, logitBias: { 504: -100 } }))
  assert.notEqual(biased.text, 'The')
  await assert.rejects(ask(driver, request(capital, { logitBias: { 999999: 1 } })), refusal('invalid_request', /999999/))
})

test('log probabilities are returned with each token, the most likely first', needs, async () => {
  const { events } = await ask(driver, request(capital, { maxOutputTokens: 3, topLogprobs: 2 }))
  const tokens = events.flatMap(event => (event.type === 'text' ? (event.logprobs ?? []) : []))
  assert.deepEqual(
    tokens.map(({ token }) => token),
    ['The', ' capital', ' of'],
  )
  for (const { token, logprob, bytes, top } of tokens) {
    assert.equal(top.length, 2)
    assert.equal(top[0]?.token, token)
    assert.ok(logprob <= 0 && logprob >= (top[1]?.logprob ?? 0))
    assert.deepEqual(bytes, [...Buffer.from(token)])
  }
})
