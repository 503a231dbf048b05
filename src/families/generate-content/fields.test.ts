/** Tests through the whole program which fields of generateContent the model gets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { says } from '../../testing/fakes/fake-text-driver.ts'
import { requested, startBeforeTests } from '../../testing/fakes/scripted-model.ts'
import { ask, assertFails, hello, response, tools, turn } from './testing/ask-content.ts'

startBeforeTests()

test('every field becomes a neutral field, in both spellings', async () => {
  const camel = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0-_w==' } }] },
      { role: 'model', parts: [{ text: 'I ' }, { text: 'see.' }] },
      {
        parts: [
          { inlineData: { mimeType: 'audio/mpeg', data: 'AAAA' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBE', displayName: 'a.pdf' } },
        ],
      },
    ],
    tools: [
      { functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object', additionalProperties: false } }, { name: 'my_tool' }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    generationConfig: {
      ...{
        maxOutputTokens: 50,
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        stopSequences: ['END'],
        seed: 3,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
      },
      ...{ responseLogprobs: true, logprobs: 2, responseMimeType: 'application/json' },
      responseSchema: {
        type: 'OBJECT',
        properties: { b_c: { type: 'STRING', nullable: true }, a: { type: 'INTEGER', minimum: 1 } },
        propertyOrdering: ['a', 'b_c'],
        required: ['a'],
      },
      thinkingConfig: { thinkingBudget: 5000, includeThoughts: true },
    },
  }
  await ask(() => says('{}'), camel)
  const [request] = requested
  assert.deepEqual(request, {
    items: [
      { type: 'message', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      {
        type: 'message',
        role: 'user',
        parts: [
          { type: 'text', text: 'look' },
          { type: 'image', url: 'data:image/png;base64,iVBORw0+/w==' },
        ],
      },
      { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'I see.' }] },
      {
        type: 'message',
        role: 'user',
        parts: [
          { type: 'audio', data: 'AAAA', format: 'mp3' },
          { type: 'file', data: 'data:application/pdf;base64,JVBE', name: 'a.pdf' },
        ],
      },
    ],
    tools: [
      { kind: 'function', name: 'f', parameters: { type: 'object', additionalProperties: false } },
      { kind: 'function', name: 'my_tool' },
    ],
    toolChoice: { mode: 'required', only: ['f'] },
    parallelToolCalls: true,
    format: {
      type: 'json_schema',
      name: 'answer',
      schema: { type: 'object', properties: { a: { type: 'integer', minimum: 1 }, b_c: { type: ['string', 'null'] } }, required: ['a'] },
    },
    ...{
      maxOutputTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stop: ['END'],
      seed: 3,
      frequencyPenalty: 0.2,
      presencePenalty: 0.1,
      topLogprobs: 2,
    },
    reasoning: { effort: 'medium', budgetTokens: 5000, summary: 'auto' },
    extras: { protocol: 'generate-content', fields: {} },
  })
  const snake = snakeCase(camel)
  await ask(() => says('{}'), snake as object)
  assert.deepEqual(requested[0], request)
  const both = await ask(() => says('x'), { generationConfig: {}, generation_config: { max_output_tokens: 5 } })
  assertFails(both, 400, /generation_config is the same field as generationConfig/)
})

/** Returns the body with its names in Google's other spelling, except names that the caller
 *  chooses. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      name === 'properties' || name === 'parametersJsonSchema' ? each : snakeCase(each),
    ]),
  )
}

test('fields that only a target of this protocol supports are refused by name, or left out with a warning', async () => {
  const picture = { role: 'user', parts: [{ fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } }] }
  const cases: [object, RegExp][] = [
    [{ tools: [{ googleSearch: {} }] }, /^tools\[0\]\.googleSearch is not offered/],
    [{ tools: [{ code_execution: {} }] }, /^tools\[0\]\.codeExecution is not offered/],
    [{ tools: [{ urlContext: {} }, ...tools] }, /^tools\[0\]\.urlContext/],
    [{ cachedContent: 'cachedContents/1' }, /^cachedContent is /],
    [{ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }, /^generationConfig\.responseModalities has "IMAGE"/],
    [{ generationConfig: { speechConfig: {} } }, /^generationConfig\.speechConfig is not offered/],
    [{ generationConfig: { responseMimeType: 'text/x.enum' } }, /^generationConfig\.responseMimeType is "text\/x\.enum"/],
    [{ generationConfig: { stopSequences: ['a', 'b', 'c', 'd', 'e'] } }, /at most 4/],
    [{ generationConfig: { candidateCount: 9 } }, /^generationConfig\.candidateCount is 9; at most 8/],
    [{ generationConfig: { maxOutputTokens: 0 } }, /maxOutputTokens/],
    [{ generationConfig: { responseSchema: { type: 'OBJECT' } } }, /responseMimeType/],
    [{ generationConfig: { logprobs: 2 } }, /logprobs is only for/],
    [{ generationConfig: { thinkingConfig: { thinkingLevel: 'SUPER' } } }, /thinkingLevel is "SUPER"/],
    [{ contents: [] }, /contents/],
    [{ contents: [{ role: 'system', parts: [{ text: 'x' }] }] }, /^contents\[0\]\.role is "system"/],
    [{ contents: [{ parts: [{ fileData: { fileUri: 'gs://bucket/a.png' } }] }] }, /^contents\[0\]\.parts\[0\]\.fileData\.fileUri is "gs:/],
    [{ contents: [{ parts: [{ fileData: { fileUri: 'https://example.com/a.zip', mimeType: 'application/zip' } }] }] }, /fileData/],
    [
      { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'not base64!' } }] }] },
      /^contents\[0\]\.parts\[0\]\.inlineData\.data is not base64/,
    ],
    [
      { contents: [{ parts: [{ inlineData: { mimeType: 'application/zip', data: 'AAAA' } }] }] },
      /inlineData\.mimeType is application\/zip/,
    ],
    [{ contents: [{ parts: [{ executableCode: { code: '1' } }] }] }, /^contents\[0\]\.parts\[0\]\.executableCode is not offered/],
    [{ contents: [response(['Oslo'])] }, /^contents\[0\]\.parts\[0\]\.functionResponse\.name is "weather"; no earlier/],
    [{ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }, /ANY needs a function/],
    [
      { tools, toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['x'] } } },
      /function x, which tools does not declare/,
    ],
    [{ tools, toolConfig: { functionCallingConfig: { mode: 'SOMETIMES' } } }, /mode is "SOMETIMES"/],
    [
      { contents: [turn([{ text: 'x', thoughtSignature: Buffer.from('carried=xyz').toString('base64') }])] },
      /thoughtSignature is not what this gateway sealed/,
    ],
  ]
  for (const [body, message] of cases) {
    const answer = await ask(() => says('x'), body)
    assertFails(answer, 400, message)
    assert.equal(answer.body.error.status, 'INVALID_ARGUMENT')
    assert.deepEqual(requested, [])
  }
  const told = await ask(() => says('x'), {
    contents: [picture],
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    labels: { team: 'a' },
    generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
  })
  assert.equal(told.status, 200)
  assert.match(told.headers.get('x-gateway-warning') ?? '', /safetySettings, labels, generationConfig\.mediaResolution/)
  assert.deepEqual(requested[0]?.items[0], { type: 'message', role: 'user', parts: [{ type: 'image', url: 'https://example.com/a.png' }] })
})

test('responses belong to calls with the same id, and without ids to calls with the same name, in order', async () => {
  const call = (id: string | undefined, name: string) => ({ functionCall: { ...(id ? { id } : {}), name, args: {} } })
  const reply = (id: string | undefined, name: string, response: object) => ({
    functionResponse: { ...(id ? { id } : {}), name, response },
  })
  const contents = [
    ...hello.contents,
    turn([call(undefined, 'a'), call('x', 'b'), call(undefined, 'a')]),
    // In the last reply, the client has invented an id, because the call in the model's answer had
    // none.
    {
      role: 'function',
      parts: [reply('x', 'b', { result: [1] }), reply(undefined, 'a', { error: 'gone' }), reply('made-up', 'a', { output: 'two' })],
    },
  ]
  await ask(() => says('ok'), { contents })
  assert.deepEqual(requested[0]?.items.slice(4), [
    { type: 'result', kind: 'function', callId: 'x', output: '{"result":[1]}' },
    { type: 'result', kind: 'function', callId: 'call_0', output: 'gone', isError: true },
    { type: 'result', kind: 'function', callId: 'call_2', output: 'two' },
  ])
})
