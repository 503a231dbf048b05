/** Answers of the protocol (docs/vendors/gemini.md#answers, #stream). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional, words } from '../../contract/schemas.ts'

const count = Type.Integer({ minimum: 0, unit: 'tokens' })

const answerPart = namedObject('GenerateContentAnswerPart', {
  text: optional.string(),
  thought: optional.boolean({ description: 'True for a thought, with `includeThoughts`.' }),
  thoughtSignature: optional.string({ description: 'Data that the target needs in the next turn; send it back unchanged with the part.' }),
  functionCall: optional.object({
    id: Type.String(),
    name: Type.String(),
    args: Type.Unsafe<JsonObject>({ type: 'object' }),
  }),
})

const token = namedObject('GenerateContentTokenLogprob', { token: Type.String(), logProbability: Type.Number() })

const finishReason = words(['STOP', 'MAX_TOKENS', 'SAFETY', 'MALFORMED_FUNCTION_CALL'])

const candidate = namedObject('GenerateContentCandidate', {
  content: Type.Object({ role: Type.Literal('model'), parts: Type.Array(answerPart) }),
  finishReason: Type.Optional(finishReason),
  finishMessage: optional.string({ description: 'Present with MALFORMED_FUNCTION_CALL; names the function.' }),
  index: Type.Integer({ minimum: 0, description: 'Position of the answer among the requested answers, from 0.' }),
  logprobsResult: optional.object({
    chosenCandidates: Type.Array(token),
    topCandidates: Type.Array(Type.Object({ candidates: Type.Array(token) })),
  }),
})

const usage = namedObject('GenerateContentUsage', {
  promptTokenCount: count,
  cachedContentTokenCount: Type.Optional(count),
  candidatesTokenCount: Type.Integer({ minimum: 0, unit: 'tokens', description: 'Output tokens without those of thoughts.' }),
  thoughtsTokenCount: Type.Optional(count),
  totalTokenCount: count,
})

export const answerSchema = namedObject('GenerateContentAnswer', {
  candidates: Type.Array(candidate),
  usageMetadata: Type.Optional(usage),
  modelVersion: Type.String(),
  responseId: Type.String(),
})

export const answersSchema = Type.Array(answerSchema, {
  name: 'GenerateContentAnswers',
  description: 'Each element has the next parts of a candidate.',
})

export const countSchema = namedObject('GenerateContentTokenCount', { totalTokens: count })

export const modelSchema = namedObject('GenerateContentModel', {
  name: Type.String({ description: 'Begins with `models/`.' }),
  version: Type.String(),
  displayName: Type.String(),
  description: Type.String(),
  supportedGenerationMethods: Type.Array(Type.String()),
})

export const modelListSchema = namedObject('GenerateContentModelList', {
  models: Type.Array(modelSchema),
  nextPageToken: optional.string({ description: 'Absent on the last page.' }),
})

export type AnswerPart = Static<typeof answerPart>
export type Candidate = Static<typeof candidate>
export type FinishReason = Static<typeof finishReason>
export type Usage = Static<typeof usage>
export type ContentAnswer = Static<typeof answerSchema>
export type ModelInfo = Static<typeof modelSchema>
