/** Answers of `counting-upstream.ts`: both protocols, whole and as events, with the caller's own
 *  words in every place where services repeat them. */

/** `rate-limited`, `failed` and `refused`: 429, 500 and 400; `broken`: the connection ends in the
 *  middle of the answer; `garbage`: not JSON, or not events; `closed`: no answer at all. */
export type Fault = 'rate-limited' | 'failed' | 'refused' | 'broken' | 'garbage' | 'closed'

export interface AnswerPlan {
  /** Number of words in each answer. */
  words: number
  answers: number
  /** Tokens that are counted but never shown. */
  hidden: number
  cached: number
  givesUsage: boolean
  /** The fault of this answer; only the `faulty` address applies it. */
  fault?: Fault
  /** The place in the answer at which the upstream waits until the connection has ended. */
  waits?: 'head' | 'usage'
  /** Text that the answer says after its counted words. */
  says?: string
  /** Object whose members are put into the places of the answer that repeat the caller's own words;
   *  they look like token counts. */
  echo?: object
  /** True to limit the answer to 8 tokens a millisecond. */
  isSlow?: boolean
  /** Number of reads during which a background response is still running. */
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
  /** State of the attempt. `cut`: the gateway disconnected. */
  state: 'received' | 'refused' | 'closed' | 'answering' | 'broken' | 'garbage' | 'ended' | 'cut'
  /** Tokens of the conversation, by the upstream's own rule: words. */
  promptTokens: number
  /** Tokens written so far, without hidden ones. */
  written: number
  /** Size in bytes of a whole answer, or of garbage. */
  bytes: number
  /** The token counts that the upstream has determined, whether or not it sent them. */
  count: UpstreamCount
  /** True when the counts were sent in their proper place. */
  hasTold: boolean
  /** True when a read of the background response has returned its finished state. */
  wasReadEnded: boolean
  /** Id of the response, for the Responses protocol. */
  responseId: string
}

/** The word that every answer repeats, and the mark in a prompt by which the upstream identifies
 *  the call. */
export const word = ' loam'
export const markOf = (call: number): string => `@${call}@`

export interface PlannedFrame {
  text: string
  words: number
  /** True when the frame contains the counts in their proper place. */
  tells: boolean
  /** True for the frame before which a plan that waits for the end of the connection waits. */
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

/** Returns the members that repeat the caller's own words, as a service repeats them. */
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
