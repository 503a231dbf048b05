/** The answers of `counting-upstream.ts`, in both protocols, whole and as events. Real services
 *  repeat words of the request in some members of their answers; these answers repeat them in the
 *  same members. */

/** Faults of an answer. `rate-limited`, `failed`, `refused`: status 429, 500 and 400. `broken`:
 *  the connection ends in the middle of the answer. `garbage`: the body is not JSON, or not
 *  events. `closed`: there is no answer at all. */
export type Fault = 'rate-limited' | 'failed' | 'refused' | 'broken' | 'garbage' | 'closed'

export interface AnswerPlan {
  /** Number of words in each answer. */
  words: number
  answers: number
  /** Number of tokens that are counted but do not appear in the answer (reasoning). */
  hidden: number
  cached: number
  givesUsage: boolean
  /** The fault of this answer. Only targets with the address `faulty` have faults. */
  fault?: Fault
  /** The place in the answer at which the upstream waits until the gateway has closed the
   *  connection. */
  waits?: 'head' | 'usage'
  /** Text that follows the counted words of the answer. */
  says?: string
  /** An object whose members look like token counts. It is put into every place of the answer that
   *  repeats words of the caller. */
  echo?: object
  /** True to send at most 2 tokens in a millisecond. */
  isSlow?: boolean
  /** Number of reads that find a background response still in progress. */
  readsUntilEnd?: number
}

export interface UpstreamCount {
  input: number
  cached: number
  output: number
  reasoning: number
}

export interface Attempt {
  call: number
  side: string
  isStream: boolean
  isBackground: boolean
  /** The state of the answer to this attempt. `cut`: the gateway closed the connection. */
  state: 'received' | 'refused' | 'closed' | 'answering' | 'broken' | 'garbage' | 'ended' | 'cut'
  /** Number of tokens of the conversation. The upstream counts each word as one token. */
  promptTokens: number
  /** Number of tokens in the answer so far, without hidden ones. */
  written: number
  /** Size in bytes of a whole answer, or of garbage. */
  bytes: number
  /** The token counts of the upstream, whether it has sent them or not. */
  count: UpstreamCount
  /** True when the upstream has sent its token counts in the place that the protocol defines. */
  hasTold: boolean
  /** True when a read of the background response has returned its finished state. */
  wasReadEnded: boolean
  /** Id of the response, for the Responses protocol. */
  responseId: string
}

/** The word that every answer repeats. The next constant returns the mark in a prompt by which
 *  the upstream recognises the call. */
export const word = ' loam'
export const markOf = (call: number): string => `@${call}@`

export interface PlannedFrame {
  text: string
  words: number
  /** True when the event contains the counts in the place that the protocol defines. */
  tells: boolean
  /** True for the event before which the upstream waits when the plan says so (`waits`). */
  isGate: boolean
}

const frame = (data: object | string, { words = 0, tells = false, isGate = false, event = '' } = {}): PlannedFrame => ({
  text: `${event === '' ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  words,
  tells,
  isGate,
})

function chatUsage({ count: { input, cached, output, reasoning } }: Attempt): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

function responseUsage({ count: { input, cached, output, reasoning } }: Attempt): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

/** Returns the members of an answer in which services repeat the words of the caller. */
function echoed({ echo }: AnswerPlan): object {
  if (echo === undefined) return {}
  const parameters = { type: 'object', properties: echo, ...echo }
  return {
    metadata: { note: JSON.stringify(echo), ...echo },
    tools: [{ type: 'function', name: 'forge', function: { name: 'forge', parameters }, parameters }],
    text: { format: { type: 'json_schema', name: 's', schema: parameters } },
  }
}

const choices = ({ answers }: AnswerPlan): number[] => Array.from({ length: answers }, (_, index) => index)

export function chatAnswer(attempt: Attempt, plan: AnswerPlan): object {
  const content = word.repeat(plan.words) + (plan.says ?? '')
  return {
    id: `chatcmpl-${attempt.call}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'up-1',
    ...echoed(plan),
    choices: choices(plan).map(index => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' })),
    ...(plan.givesUsage ? { usage: chatUsage(attempt) } : {}),
    service: echoed(plan),
  }
}

export function chatFrames(attempt: Attempt, plan: AnswerPlan, wantsUsage: boolean): PlannedFrame[] {
  const chunk = (index: number, delta: object, finish: string | null = null) => ({
    id: `chatcmpl-${attempt.call}`,
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'up-1',
    choices: [{ index, delta, finish_reason: finish }],
    ...echoed(plan),
  })
  const all = choices(plan)
  const frames = all.map(index => frame(chunk(index, { role: 'assistant', content: '' })))
  for (let said = 0; said < plan.words; said++) for (const index of all) frames.push(frame(chunk(index, { content: word }), { words: 1 }))
  if (plan.says !== undefined) for (const index of all) frames.push(frame(chunk(index, { content: plan.says })))
  for (const index of all) frames.push(frame(chunk(index, {}, 'stop')))
  frames.push({ ...frame(''), text: ': counts\n\n', isGate: true })
  if (plan.givesUsage && wantsUsage) frames.push(frame({ ...chunk(0, {}), choices: [], usage: chatUsage(attempt) }, { tells: true }))
  frames.push(frame('[DONE]'))
  return frames
}

export function responseAnswer(attempt: Attempt, plan: AnswerPlan, status: 'in_progress' | 'completed'): object {
  const hasEnded = status === 'completed'
  return {
    id: attempt.responseId,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    background: attempt.isBackground,
    ...echoed(plan),
    model: 'up-1',
    output: hasEnded ? [messageOf(attempt, plan)] : [],
    usage: hasEnded && plan.givesUsage ? responseUsage(attempt) : null,
    service: echoed(plan),
  }
}

function messageOf(attempt: Attempt, plan: AnswerPlan): object {
  const content = [{ type: 'output_text', text: word.repeat(plan.words) + (plan.says ?? ''), annotations: [] }]
  return { id: `msg_${attempt.responseId}`, type: 'message', role: 'assistant', status: 'completed', content }
}

export function responseFrames(attempt: Attempt, plan: AnswerPlan): PlannedFrame[] {
  const frames: PlannedFrame[] = []
  const add = (type: string, fields: object, marks: { words?: number; tells?: boolean; isGate?: boolean } = {}) =>
    frames.push(frame({ type, sequence_number: frames.length, ...fields }, { ...marks, event: type }))
  const at = { item_id: `msg_${attempt.responseId}`, output_index: 0, content_index: 0 }
  const item = messageOf(attempt, plan)
  add('response.created', { response: responseAnswer(attempt, plan, 'in_progress') })
  add('response.in_progress', { response: responseAnswer(attempt, plan, 'in_progress'), ...plan.echo })
  add('response.output_item.added', { output_index: 0, item: { ...item, content: [], status: 'in_progress' } })
  for (let said = 0; said < plan.words; said++) add('response.output_text.delta', { ...at, delta: word }, { words: 1 })
  if (plan.says !== undefined) add('response.output_text.delta', { ...at, delta: plan.says })
  add('response.output_item.done', { output_index: 0, item: { ...item, ...plan.echo } })
  add('response.completed', { response: responseAnswer(attempt, plan, 'completed') }, { tells: plan.givesUsage, isGate: true })
  return frames
}
