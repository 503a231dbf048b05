/** The table of request fields and of what becomes of them at a target of another protocol,
 *  typed by hand. `docs/translation.md` shows the same table. */
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'

/** The fate of a field at a target. `carried`: the target gets the field in its own form.
 *  `gateway`: the gateway does what the field says, so the target need not know it. `warned`: the
 *  target does not get the field, and `x-gateway-warning` names it. `refused`: another target is
 *  tried, and when there is none the answer is 400. `silent`: the target does not get the field,
 *  and no warning says so, since nothing about the answer changes. */
export type Fate = 'carried' | 'gateway' | 'warned' | 'refused' | 'silent'

/** `-`: the target speaks the caller's own protocol. */
type Cell = Fate | '-'

export interface FieldRow {
  /** The field as the documentation names it. */
  field: string
  /** Members of the body that set it. */
  body: object
  /** Fates at targets of chat, Responses, Messages and generateContent. */
  fates: readonly [Cell, Cell, Cell, Cell]
  /** Matches the JSON text of the body that the upstream gets when this body contains the field. */
  mark: RegExp
  /** The name in the warning or the error, when it is not `field`. */
  named?: string
}

export const columns: readonly TextProtocol[] = ['chat', 'responses', 'messages', 'generate-content']

type Words = Record<string, Cell>
const words: Words = { c: 'carried', g: 'gateway', w: 'warned', r: 'refused', s: 'silent', '-': '-' }

/** Returns a row; `fates` has the first letter of each fate. */
function row(field: string, fates: string, body: object, { mark = /zebra/, named }: { mark?: RegExp; named?: string } = {}): FieldRow {
  const [chat = '-', responses = '-', messages = '-', content = '-'] = [...fates].map(letter => words[letter])
  return { field, body, fates: [chat, responses, messages, content], mark, ...(named === undefined ? {} : { named }) }
}

const schema = { type: 'object', properties: { zebra: { type: 'string' } } }
const pdf = 'data:application/pdf;base64,aGk='
const picture = 'data:image/png;base64,aGk='

const chatParts = (...content: object[]) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, ...content] }] })
const chatTools = [{ type: 'function', function: { name: 'zebra', parameters: schema } }]

const chat: FieldRow[] = [
  row('messages[].name', '-www', { messages: [{ role: 'user', content: 'hi', name: 'zebra' }] }, { named: 'messages' }),
  row('image_url.detail', '-cww', chatParts({ type: 'image_url', image_url: { url: picture, detail: 'high' } }), {
    mark: /"detail":"high"/,
    named: 'messages',
  }),
  row('file.filename', '-ccw', chatParts({ type: 'file', file: { file_data: pdf, filename: 'zebra.pdf' } }), { named: 'messages' }),
  row('temperature', '-ccc', { temperature: 0.37 }, { mark: /0\.37/ }),
  row('temperature above 1', '-crc', { temperature: 1.37 }, { mark: /1\.37/, named: 'temperature' }),
  row('top_p', '-ccc', { top_p: 0.37 }, { mark: /0\.37/ }),
  row('max_completion_tokens', '-ccc', { max_completion_tokens: 3737 }, { mark: /3737/ }),
  row('max_tokens', '-ccc', { max_tokens: 3737 }, { mark: /3737/ }),
  row('n', '-ggg', { n: 2 }),
  row('stop', '-rcc', { stop: ['zebra'] }),
  row('seed', '-wwc', { seed: 3737 }, { mark: /3737/ }),
  row('presence_penalty', '-wwc', { presence_penalty: 0.37 }, { mark: /0\.37/ }),
  row('frequency_penalty', '-wwc', { frequency_penalty: 0.37 }, { mark: /0\.37/ }),
  row('logit_bias', '-rrr', { logit_bias: { 37: 1 } }),
  row('logprobs', '-crc', { logprobs: true, top_logprobs: 3 }, { mark: /logprobs":3/, named: 'top_logprobs' }),
  row('response_format json_schema', '-ccc', {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
  }),
  row(
    'response_format json_object',
    '-ccc',
    { response_format: { type: 'json_object' } },
    { mark: /json_object|JSON object|application\/json/ },
  ),
  row(
    'json_schema.description',
    '-cww',
    {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' }, description: 'zebra' } },
    },
    { named: 'response_format' },
  ),
  row('tools of type function', '-ccc', { tools: chatTools }),
  row(
    'function.strict',
    '-ccw',
    { tools: [{ type: 'function', function: { name: 'f', parameters: schema, strict: true } }] },
    {
      mark: /"strict":true/,
      named: 'tools',
    },
  ),
  row('tools of type custom', '-ccc', { tools: [{ type: 'custom', custom: { name: 'zebra' } }] }),
  row('tool_choice', '-ccc', { tools: chatTools, tool_choice: 'required' }, { mark: /"required"|"any"|"ANY"/ }),
  row(
    'parallel_tool_calls',
    '-ccg',
    { tools: chatTools, parallel_tool_calls: false },
    {
      mark: /"parallel_tool_calls":false|"disable_parallel_tool_use":true/,
    },
  ),
  row('functions, function_call', '-ccc', { functions: [{ name: 'zebra', parameters: schema }], function_call: { name: 'zebra' } }),
  row('reasoning_effort', '-ccc', { reasoning_effort: 'low' }, { mark: /"effort":"low"|budget_tokens|"thinkingLevel":"low"/ }),
  row('verbosity', '-ccc', { verbosity: 'low' }, { mark: /"verbosity":"low"|as briefly/ }),
  row('user', '-ccw', { user: 'zebra' }),
  row('metadata', '-cww', { metadata: { animal: 'zebra' } }),
  row('store', '-ggg', { store: true, metadata: { animal: 'zebra' } }),
  row('service_tier auto', '-ccs', { service_tier: 'auto' }, { mark: /"service_tier":"auto"/ }),
  row(
    'service_tier default',
    '-ccw',
    { service_tier: 'default' },
    { mark: /"service_tier":"(default|standard_only)"/, named: 'service_tier' },
  ),
  row('service_tier flex, priority', '-cww', { service_tier: 'flex' }, { mark: /"flex"/, named: 'service_tier' }),
  row('safety_identifier', '-cww', { safety_identifier: 'zebra' }),
  row('prompt_cache_key', '-css', { prompt_cache_key: 'zebra' }),
  row('prompt_cache_retention', '-css', { prompt_cache_retention: 'zebra' }),
  row('prediction', '-www', { prediction: { type: 'content', content: 'zebra' } }),
  row('audio', '-www', { audio: { voice: 'zebra', format: 'wav' } }),
  row('modalities audio', '-rrr', { modalities: ['text', 'audio'], audio: { voice: 'zebra', format: 'wav' } }, { named: 'modalities' }),
  row('web_search_options', '-rrr', { web_search_options: {} }),
  row('cache_control of parts', '-scs', chatParts({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }), {
    mark: /"ttl":"1h"/,
  }),
  row('any other field', '-www', { top_k: 37 }, { named: 'top_k' }),
]

const responsesTools = [{ type: 'function', name: 'zebra', parameters: schema }]

const responses: FieldRow[] = [
  row('instructions', 'c-cc', { instructions: 'zebra' }),
  row(
    'input_image.detail',
    'c-ww',
    {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'hi' },
            { type: 'input_image', image_url: picture, detail: 'high' },
          ],
        },
      ],
    },
    { mark: /"detail":"high"/, named: 'input' },
  ),
  row('temperature', 'c-cc', { temperature: 0.37 }, { mark: /0\.37/ }),
  row('top_p', 'c-cc', { top_p: 0.37 }, { mark: /0\.37/ }),
  row('max_output_tokens', 'c-cc', { max_output_tokens: 3737 }, { mark: /3737/ }),
  row('presence_penalty', 'c-wc', { presence_penalty: 0.37 }, { mark: /0\.37/ }),
  row('frequency_penalty', 'c-wc', { frequency_penalty: 0.37 }, { mark: /0\.37/ }),
  row('top_logprobs', 'c-rc', { top_logprobs: 3 }, { mark: /logprobs":3/ }),
  row('text.format', 'c-cc', { text: { format: { type: 'json_schema', name: 'answer', schema } } }),
  row('text.verbosity', 'c-cc', { text: { verbosity: 'low' } }, { mark: /"verbosity":"low"|as briefly/ }),
  row(
    'reasoning.effort',
    'c-cc',
    { reasoning: { effort: 'low' } },
    { mark: /"reasoning_effort":"low"|budget_tokens|"thinkingLevel":"low"/ },
  ),
  row(
    'reasoning.summary',
    'w-cc',
    { reasoning: { effort: 'low', summary: 'auto' } },
    { mark: /budget_tokens|includeThoughts/, named: 'reasoning' },
  ),
  row('tools of type function', 'c-cc', { tools: responsesTools }),
  row('tools of type custom', 'c-cc', { tools: [{ type: 'custom', name: 'zebra' }] }),
  row('hosted tools', 'w-ww', { tools: [{ type: 'web_search' }] }, { named: 'tools' }),
  row('tool_choice', 'c-cc', { tools: responsesTools, tool_choice: 'required' }, { mark: /"required"|"any"|"ANY"/ }),
  row(
    'parallel_tool_calls',
    'c-cg',
    { tools: responsesTools, parallel_tool_calls: false },
    {
      mark: /"parallel_tool_calls":false|"disable_parallel_tool_use":true/,
    },
  ),
  row('user', 'c-cw', { user: 'zebra' }),
  row('metadata', 'c-gg', { metadata: { animal: 'zebra' } }),
  row('store', 'g-gg', { store: true }),
  row('truncation auto', 'w-ww', { truncation: 'auto' }, { named: 'truncation' }),
  row(
    'service_tier default',
    'c-cw',
    { service_tier: 'default' },
    { mark: /"service_tier":"(default|standard_only)"/, named: 'service_tier' },
  ),
  row('service_tier flex, priority', 'c-ww', { service_tier: 'flex' }, { mark: /"flex"/, named: 'service_tier' }),
  row('safety_identifier', 'c-ww', { safety_identifier: 'zebra' }),
  row('prompt_cache_key', 'c-ss', { prompt_cache_key: 'zebra' }),
  row('prompt_cache_retention', 'c-ss', { prompt_cache_retention: 'zebra' }),
  row('caching', 's-ss', { caching: { type: 'enabled' } }),
  row('include of log probabilities, encrypted reasoning', 'g-gg', { include: ['reasoning.encrypted_content'] }),
  row('include of anything else', 'w-ww', { include: ['web_search_call.results'] }, { named: 'include' }),
  row('max_tool_calls', 'w-ww', { max_tool_calls: 3 }),
  row('context_management', 'w-ww', { context_management: [{ type: 'compaction' }] }),
  row(
    'thinking disabled',
    'c-cc',
    { thinking: { type: 'disabled' } },
    {
      mark: /"reasoning_effort":"none"|"disabled"|"thinkingBudget":0/,
      named: 'thinking',
    },
  ),
  row('thinking enabled', 'w-ww', { thinking: { type: 'enabled' } }, { named: 'thinking' }),
  row('prompt', 'r-rr', { prompt: { id: 'zebra' } }),
  row('any other field', 'w-ww', { zebra: 37 }, { named: 'zebra' }),
]

const messagesTools = [{ name: 'zebra', input_schema: schema }]
const marked = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const calls = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'zebra', input: {} }] },
]

const messages: FieldRow[] = [
  row('system', 'cc-c', { system: 'zebra' }),
  row('max_tokens', 'cc-c', { max_tokens: 3737 }, { mark: /3737/ }),
  row('max_tokens 0', 'rr-r', { max_tokens: 0 }, { named: 'max_tokens' }),
  row('temperature', 'cc-c', { temperature: 0.37 }, { mark: /0\.37/ }),
  row('top_p', 'cc-c', { top_p: 0.37 }, { mark: /0\.37/ }),
  row('top_k', 'ww-c', { top_k: 3737 }, { mark: /3737/ }),
  row('stop_sequences', 'cr-c', { stop_sequences: ['zebra'] }),
  row('metadata.user_id', 'cc-w', { metadata: { user_id: 'zebra' } }),
  row('tools', 'cc-c', { tools: messagesTools }),
  row('tools[].strict', 'cc-w', { tools: [{ ...messagesTools[0], strict: true }] }, { mark: /"strict":true/, named: 'tools' }),
  row('hosted tools', 'rr-r', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, { named: 'tools[0].type' }),
  row('tool_choice', 'cc-c', { tools: messagesTools, tool_choice: { type: 'any' } }, { mark: /"required"|"ANY"/ }),
  row(
    'disable_parallel_tool_use',
    'cc-g',
    { tools: messagesTools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    {
      mark: /"parallel_tool_calls":false/,
    },
  ),
  row(
    'tool_result.is_error',
    'ww-c',
    {
      tools: messagesTools,
      messages: [...calls, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x', is_error: true }] }],
    },
    { mark: /"error"/, named: 'messages' },
  ),
  row(
    'thinking.budget_tokens',
    'ww-c',
    { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 3737 } },
    { mark: /3737/, named: 'thinking' },
  ),
  row('thinking disabled', 'cc-c', { thinking: { type: 'disabled' } }, { mark: /"none"|"thinkingBudget":0/, named: 'thinking' }),
  row('output_config.effort', 'cc-c', { output_config: { effort: 'low' } }, { mark: /effort":"low"|"thinkingLevel":"low"/ }),
  row('output_config.format', 'cc-c', { output_config: { format: { type: 'json_schema', schema } } }),
  row('cache_control', 'ss-s', marked, { mark: /"ttl":"1h"/ }),
  row(
    'cache_control of blocks and tools',
    'ss-s',
    {
      system: [{ type: 'text', text: 'x', ...marked }],
      tools: [{ ...messagesTools[0], ...marked }],
    },
    { mark: /"ttl":"1h"/ },
  ),
  row('service_tier auto', 'cc-s', { service_tier: 'auto' }, { mark: /"service_tier":"auto"/ }),
  row('service_tier standard_only', 'cc-w', { service_tier: 'standard_only' }, { mark: /"service_tier":"default"/, named: 'service_tier' }),
  row('context_management', 'ww-w', { context_management: { edits: [] } }),
  row('mcp_servers, container', 'rr-r', { container: 'zebra' }, { named: 'container' }),
  row('any other field', 'ww-w', { speed: 'fast' }, { named: 'speed' }),
]

const config = (generationConfig: object) => ({ generationConfig })
const geminiTools = [{ functionDeclarations: [{ name: 'zebra', parametersJsonSchema: schema }] }]

const generateContent: FieldRow[] = [
  row('systemInstruction', 'ccc-', { systemInstruction: { parts: [{ text: 'zebra' }] } }),
  row('maxOutputTokens', 'ccc-', config({ maxOutputTokens: 3737 }), { mark: /3737/ }),
  row('temperature', 'ccc-', config({ temperature: 0.37 }), { mark: /0\.37/ }),
  row('temperature above 1', 'ccr-', config({ temperature: 1.37 }), { mark: /1\.37/, named: 'generationConfig.temperature' }),
  row('topP', 'ccc-', config({ topP: 0.37 }), { mark: /0\.37/ }),
  row('topK', 'wwc-', config({ topK: 3737 }), { mark: /3737/, named: 'generationConfig.topK' }),
  row('candidateCount', 'ggg-', config({ candidateCount: 2 })),
  row('stopSequences', 'crc-', config({ stopSequences: ['zebra'] }), { named: 'generationConfig.stopSequences' }),
  row('seed', 'cww-', config({ seed: 3737 }), { mark: /3737/, named: 'generationConfig.seed' }),
  row('presencePenalty', 'cww-', config({ presencePenalty: 0.37 }), { mark: /0\.37/, named: 'generationConfig.presencePenalty' }),
  row('frequencyPenalty', 'cww-', config({ frequencyPenalty: 0.37 }), { mark: /0\.37/, named: 'generationConfig.frequencyPenalty' }),
  row('responseLogprobs', 'ccr-', config({ responseLogprobs: true, logprobs: 3 }), {
    mark: /logprobs":3/,
    named: 'generationConfig.logprobs',
  }),
  row(
    'responseSchema',
    'ccc-',
    config({ responseMimeType: 'application/json', responseSchema: { type: 'OBJECT', properties: { zebra: { type: 'STRING' } } } }),
  ),
  row('responseJsonSchema', 'ccc-', config({ responseMimeType: 'application/json', responseJsonSchema: schema })),
  row('thinkingConfig.thinkingBudget', 'wwc-', config({ thinkingConfig: { thinkingBudget: 3737 } }), {
    mark: /3737/,
    named: 'generationConfig.thinkingConfig',
  }),
  row('thinkingConfig.thinkingLevel', 'ccc-', config({ thinkingConfig: { thinkingLevel: 'LOW' } }), {
    mark: /effort":"low"|budget_tokens/,
  }),
  row('thinkingConfig.includeThoughts', 'wcc-', config({ thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true } }), {
    mark: /"summary":"auto"|budget_tokens/,
    named: 'generationConfig.thinkingConfig',
  }),
  row('tools', 'ccc-', { tools: geminiTools }),
  row('hosted tools', 'rrr-', { tools: [{ googleSearch: {} }] }, { named: 'tools[0].googleSearch' }),
  row('toolConfig', 'ccc-', { tools: geminiTools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } }, { mark: /"required"|"any"/ }),
  row(
    'functionResponse.response.error',
    'wwc-',
    {
      tools: geminiTools,
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'zebra', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'zebra', response: { error: 'x' } } }] },
      ],
    },
    { mark: /"is_error":true/, named: 'contents' },
  ),
  row('inlineData.displayName', 'ccc-', {
    contents: [{ parts: [{ text: 'hi' }, { inlineData: { mimeType: 'application/pdf', data: 'aGk=', displayName: 'zebra.pdf' } }] }],
  }),
  row(
    'videoMetadata.startOffset, endOffset',
    'rrr-',
    {
      contents: [
        { parts: [{ text: 'hi' }, { inlineData: { mimeType: 'video/mp4', data: 'aGk=' }, videoMetadata: { endOffset: '37.37s' } }] },
      ],
    },
    { mark: /37\.37s/, named: 'contents[0].parts[1].videoMetadata.endOffset' },
  ),
  row('safetySettings', 'www-', { safetySettings: [{ category: 'x', threshold: 'y' }] }),
  row('labels', 'www-', { labels: { animal: 'zebra' } }),
  row('mediaResolution', 'www-', config({ mediaResolution: 'MEDIA_RESOLUTION_LOW' }), { named: 'generationConfig.mediaResolution' }),
  row('cachedContent', 'rrr-', { cachedContent: 'cachedContents/1' }),
  row('speechConfig', 'rrr-', config({ speechConfig: {} }), { named: 'generationConfig.speechConfig' }),
  row('responseModalities beside TEXT', 'rrr-', config({ responseModalities: ['IMAGE'] }), {
    named: 'generationConfig.responseModalities',
  }),
]

export const fieldRows: Record<TextProtocol, readonly FieldRow[]> = { chat, responses, messages, 'generate-content': generateContent }
