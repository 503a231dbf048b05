import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedTokens } from './expected-tokens.ts'
import { tokensIn, tokensInJson } from './token-estimate.ts'

const inJson = (text: string) => tokensInJson(Buffer.from(text), 0, Buffer.byteLength(text))

/** Texts with the number of their tokens in the tokenizer of SmolLM2. This tokenizer supports
 *  little but English, so other tokenizers need fewer tokens for the last two texts. */
const known: Record<string, { text: string; tokens: number; atMost: number }> = {
  prose: {
    text: 'The quick brown fox jumps over the lazy dog, and nobody in the village could remember when it had begun to do so every morning.',
    tokens: 27,
    atMost: 40,
  },
  digits: { text: '3141592653589793238462643383279502884197', tokens: 40, atMost: 40 },
  code: { text: 'if (x == 1) {\n    return values[index] + 1;\n}\n', tokens: 21, atMost: 30 },
  chinese: { text: '今天天气很好，我们一起去公园散步吧。', tokens: 35, atMost: 40 },
}

test('an estimate is at least the count of a tokenizer, and not far above it', () => {
  for (const [name, { text, tokens, atMost }] of Object.entries(known)) {
    const estimate = tokensIn(text)
    assert.ok(estimate >= tokens && estimate <= atMost, `${name}: ${estimate} for ${tokens}`)
  }
  assert.equal(tokensIn(''), 0)
  for (const piece of ['a', ' a', 'a ', ' ', '\n', '1', '.', 'ä', '好']) assert.equal(tokensIn(piece) > 0, true, JSON.stringify(piece))
})

test('JSON escapes count as the characters that they stand for', () => {
  const escaped = (text: string) => inJson(JSON.stringify(text).slice(1, -1))
  for (const text of ['a\nb', '"quoted"', 'tab\there', 'plain words']) assert.equal(escaped(text), tokensIn(text), JSON.stringify(text))
  assert.equal(inJson('\\u597d\\u597d'), 4)
})

test('a conversation is expected to use its texts, its files and its token limit', () => {
  const of = (fields: object) => expectedTokens('chat', { messages: [], ...fields })
  assert.deepEqual(of({}), { inputTokens: 0, outputTokens: 4_096 })
  assert.equal(of({ max_tokens: 10, max_output_tokens: -5 }).outputTokens, 10)
  assert.equal(of({ max_completion_tokens: null, max_tokens: 10, n: 3 }).outputTokens, 30)
  assert.equal(of({ max_completion_tokens: 1, max_tokens: 100_000 }).outputTokens, 100_000)
  assert.equal(expectedTokens('responses', { input: 'a', max_tokens: -5, n: 9 }).outputTokens, 4_096)
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } }
  const inMessage = of({ messages: [{ role: 'user', content: [image] }] }).inputTokens
  assert.ok(inMessage > 1_000 && inMessage < 1_100, `${inMessage}`)
  const elsewhere = of({ tools: [image] }).inputTokens
  assert.ok(elsewhere > 20_000, `a file is one only where the protocol has it: ${elsewhere}`)
})

test('a text that is sent as a file counts as text', () => {
  const of = (mimeType: string) => {
    const data = Buffer.from('The tide comes in at noon. '.repeat(4_000)).toString('base64')
    return expectedTokens('generate-content', { contents: [{ parts: [{ inlineData: { mimeType, data } }] }] }).inputTokens
  }
  assert.ok(of('text/plain') > 24_000, String(of('text/plain')))
  assert.ok(of('application/json') > 24_000)
  assert.ok(of('image/png') < 1_100)
})
