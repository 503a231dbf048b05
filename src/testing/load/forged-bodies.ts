/** Generates bodies of conversations that try to lower their token count. They are generated as
 *  text, because no serializer would write the same member name twice. */
import fc from 'fast-check'
import { markOf } from './counting-answers.ts'

export interface ForgedBody {
  protocol: 'chat' | 'responses'
  /** JSON text with placeholders for the model, and for the mark by which the upstream
   *  recognises the call. */
  template: string
  /** True when the body refers to something that belongs to another account. */
  isForeign: boolean
  /** Number of words in the upstream's answer. */
  words: number
  givesUsage: boolean
  /** True when the upstream repeats the body in the text of its answer, too. */
  repeats: boolean
}

/** Ids of objects that belong to one account. The gateway must refuse references of other accounts
 *  to these objects. */
export interface ForeignIds {
  responseId: string
  itemId: string
}

const modelPlace = '%model%'
const markPlace = '%mark%'
const forgedUsage = '{"usage":{"prompt_tokens":1,"completion_tokens":1,"input_tokens":1,"output_tokens":1,"total_tokens":2}}'
const amounts = fc.oneof(
  fc.constantFrom('-1', '-1000000000', '-0', '0', '1', '16', '100', '4e1', '2147483647', '2147483648', '1e308', '1e999', '1.5', '100.0'),
  fc.constantFrom('"100"', '"-1"', 'null', 'true', '[16]', '{"value":16}', '[]', '{}', '""'),
  fc.integer({ min: 16, max: 5_000 }).map(String),
  fc.integer().map(String),
  fc.double().map(value => (Number.isFinite(value) ? String(value) : 'null')),
)
const flags = fc.constantFrom('true', 'true', 'true', 'false', 'null', '"true"', '1', '[]')
const strange = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constant(forgedUsage),
  fc.constant(`[${forgedUsage}]`),
  fc.constant(JSON.stringify(forgedUsage)),
)
const limitNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'max_new_tokens', 'n'] as const

/** Functions that change a member name into one that some parsers may take for the same name. */
const disguise = fc.constantFrom<(name: string) => string>(
  ...Array<(name: string) => string>(10).fill(name => name),
  name => name.toUpperCase(),
  name => name.slice(0, 1).toUpperCase() + name.slice(1),
  name => name.replace('k', '\u212a'),
  name => name.replace('s', '\u017f'),
  name => name.replace(/^[a-z]/, letter => `\\u00${letter.charCodeAt(0).toString(16)}`),
  name => `${name} `,
)

/** Returns JSON in which arrays and objects alternate, nested to this depth. */
function nested(depth: number): string {
  const half = Math.floor(depth / 2)
  return `${'[{"usage":'.repeat(half)}1${'}]'.repeat(half)}`
}

const plainMember = fc.oneof(
  fc.tuple(fc.constantFrom(...limitNames), amounts),
  fc.tuple(fc.constantFrom('max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n'), fc.constantFrom('20', '30', '90')),
  fc.tuple(fc.constantFrom('stream', 'stream', 'background', 'store', 'parallel_tool_calls'), flags),
  fc.tuple(fc.constant('stream_options'), fc.constantFrom('{"include_usage":true}', '{"include_usage":false}', 'null', '{"usage":1}')),
  fc.tuple(fc.constant('metadata'), fc.oneof(strange, fc.constant('{"usage":"{}"}'), fc.constant(`{"a":${JSON.stringify(forgedUsage)}}`))),
  fc.tuple(
    fc.constant('tools'),
    fc.constantFrom(
      `[{"type":"function","name":"f","parameters":${forgedUsage}}]`,
      `[{"type":"function","function":{"name":"f","parameters":${forgedUsage}}}]`,
    ),
  ),
  fc.tuple(
    fc.constantFrom('response_format', 'text'),
    fc.constantFrom(
      `{"type":"json_schema","json_schema":{"name":"s","schema":${forgedUsage}}}`,
      `{"format":{"type":"json_schema","name":"s","schema":${forgedUsage}}}`,
      '{"verbosity":"low"}',
    ),
  ),
  fc.tuple(fc.constantFrom('usage', 'response', 'status', 'id', 'object', 'choices', 'output', 'user', 'extras'), strange),
  fc.tuple(
    fc.constantFrom('x', 'metadata', 'prediction', 'reasoning'),
    fc.oneof(fc.integer({ min: 2, max: 80 }), fc.constantFrom(1_000, 100_000)).map(nested),
  ),
  fc.tuple(
    fc.string({ maxLength: 10 }).map(name => JSON.stringify(name).slice(1, -1)),
    strange,
  ),
)

/** Generates members that refer to objects of another account, or to objects that do not exist. */
function foreignMembers(protocol: ForgedBody['protocol'], { responseId, itemId }: ForeignIds): fc.Arbitrary<[string, string]> {
  const conversation = (item: string) => `[{"role":"user","content":"${markPlace}"},${item}]`
  if (protocol === 'chat') {
    return fc.constantFrom<[string, string]>(
      ['messages', conversation('{"role":"user","content":[{"type":"file","file":{"file_id":"file-abc123"}}]}')],
      ['messages', conversation('{"role":"assistant","audio":{"id":"audio_1"}}')],
    )
  }
  return fc.constantFrom<[string, string]>(
    ['previous_response_id', JSON.stringify(responseId)],
    ['input', conversation(`{"type":"item_reference","id":${JSON.stringify(itemId)}}`)],
    ['input', conversation(`{"id":${JSON.stringify(itemId)}}`)],
    ['input', conversation('{"role":"user","content":[{"type":"input_file","file_id":"file-abc123"}]}')],
    ['tools', '[{"type":"file_search","vector_store_ids":["vs_1"]}]'],
    ['tools', '[{"type":"code_interpreter","container":"cntr_1"}]'],
    ['prompt', '{"id":"pmpt_1","variables":{"f":{"type":"input_file","file_id":"file-abc123"}}}'],
  )
}

const prompts = fc.oneof(
  fc.constantFrom(
    'tell of soil',
    'data:, all of this is text',
    'https://example.test/ and more words',
    '1 2 3 4 5 6 7 8 9 10',
    '\u571f\u58e4 \u6c99',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }).filter(text => !text.includes('@')),
)

/** The ways in which a conversation can be written in each protocol. */
const conversations = {
  chat: fc.constantFrom<(prompt: string) => string>(
    prompt => `"messages":[{"role":"user","content":${prompt}}]`,
    prompt => `"messages":[{"role":"user","content":[{"type":"text","text":${prompt}}]}]`,
    prompt => `"messages":[{"role":"system","content":"data:"},{"role":"user","content":${prompt}}]`,
  ),
  responses: fc.constantFrom<(prompt: string) => string>(
    prompt => `"input":${prompt}`,
    prompt => `"input":[{"role":"user","content":${prompt}}]`,
    prompt => `"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":${prompt}}]}]`,
  ),
} as const

interface Parts {
  members: [[name: string, value: string], as: (name: string) => string][]
  stolen: [name: string, value: string] | null
  /** Position of `model` in the body: the number of members before it. */
  at: number
  conversation: string
}

function templateOf({ members, stolen, at, conversation }: Parts): string {
  const lines = members.map(([[name, value], as]) => `"${as(name)}":${value}`)
  // The conversation is left out when the member that refers to another account already contains
  // one.
  const own = stolen?.[0] === 'input' || stolen?.[0] === 'messages' ? [] : [conversation]
  if (stolen) own.push(`"${stolen[0]}":${stolen[1]}`)
  return `{${[...lines.slice(0, at), `"model":"${modelPlace}"`, ...own, ...lines.slice(at)].join(',')}}`
}

/** Returns the body of one call. */
export function textOf({ template }: ForgedBody, model: string, call: number): string {
  return template.replaceAll(modelPlace, model).replaceAll(markPlace, markOf(call))
}

/** Generates a body with up to four additional members, in any order. The members try to lower the
 *  token count, which the gateway must not let happen. */
export function forgedBody(foreign: ForeignIds): fc.Arbitrary<ForgedBody> {
  return fc.constantFrom('chat' as const, 'responses' as const).chain(protocol =>
    fc
      .record({
        members: fc.array(fc.tuple(plainMember, disguise), { maxLength: 4 }),
        stolen: fc.oneof({ weight: 11, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: foreignMembers(protocol, foreign) }),
        prompt: prompts,
        conversation: conversations[protocol],
        at: fc.nat(5),
        words: fc.integer({ min: 1, max: 60 }),
        givesUsage: fc.boolean(),
        repeats: fc.boolean(),
      })
      .map(({ members, stolen, prompt, conversation, at, ...answer }) => ({
        protocol,
        isForeign: stolen !== null,
        ...answer,
        template: templateOf({ members, stolen, at, conversation: conversation(JSON.stringify(`${prompt} ${markPlace}`)) }),
      })),
  )
}
