/** The body of a generateContent request (docs/vendors/gemini.md#request). The schema accepts
 *  every body that an upstream of this protocol may understand; requirements that depend on the
 *  kind of a part are checked during translation. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { mostTokens } from '@generation-gateway/kit/requests/text.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional } from '../../contract/schemas.ts'

/** Largest number of answers to one prompt. */
export const mostCandidates = 8

const free = (description: string) => optional.unsafe<JsonObject>({ type: 'object', description })

const inlineData = Type.Object({
  mimeType: Type.String({ minLength: 1, maxLength: 200 }),
  data: Type.String({ description: 'Base64, in the standard alphabet or the one for URLs.' }),
  displayName: optional.string({ maxLength: 1000 }),
})

const part = namedObject('GenerateContentPart', {
  text: optional.string(),
  thought: optional.boolean({ description: 'True for a thought of the model.' }),
  thoughtSignature: optional.string({ description: 'Data that the target needs in the next turn; send it back unchanged with the part.' }),
  inlineData: Type.Optional(inlineData),
  fileData: optional.object(
    { mimeType: optional.string(), fileUri: Type.String({ minLength: 1 }), displayName: optional.string() },
    {
      description:
        'An http or https link to a picture or a video. Files that an upstream stores are refused, because they belong to no account of this gateway.',
    },
  ),
  videoMetadata: free(
    '`fps` of a video: the number of frames per second that the model samples. A clip (`startOffset`, `endOffset`) needs a target of this protocol.',
  ),
  functionCall: optional.object({
    id: optional.string({ maxLength: 1000 }),
    name: Type.String({ minLength: 1, maxLength: 1000 }),
    args: free('Arguments of the call.'),
  }),
  functionResponse: optional.object({
    id: optional.string({
      maxLength: 1000,
      description: 'Id of the call. When absent, the response belongs to the oldest call of this function that has none yet.',
    }),
    name: Type.String({ minLength: 1, maxLength: 1000 }),
    response: free('An object with `output` for a result, with `error` for a failure, or with any other members.'),
    parts: optional.array(Type.Object({ inlineData: Type.Optional(inlineData) }), { description: 'Files of the result.' }),
  }),
})

const content = namedObject('GenerateContentContent', {
  role: optional.string({ description: 'user (default), model or function.' }),
  parts: optional.array(part, { maxItems: 100_000 }),
})

const declaration = namedObject('GenerateContentFunction', {
  name: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$',
    mustBe: '1 to 128 letters, digits and _ . : -, beginning with a letter or _',
  }),
  description: optional.string(),
  parameters: free('The arguments, as an OpenAPI schema with types in capitals, or as a JSON schema.'),
  parametersJsonSchema: free('The arguments, as a JSON schema; in place of `parameters`.'),
})

const tool = Type.Object({
  functionDeclarations: optional.array(declaration, {
    description: 'Functions. Other tools are allowed only on a target that speaks this protocol.',
  }),
})

const toolConfig = Type.Object({
  functionCallingConfig: optional.object({
    mode: optional.string({ description: 'AUTO (default), ANY, NONE or VALIDATED.' }),
    allowedFunctionNames: optional.array(Type.String({ minLength: 1 }), {
      description: 'Functions from which the model chooses in the modes ANY and VALIDATED.',
    }),
  }),
})

const thinkingConfig = Type.Object({
  includeThoughts: optional.boolean({ description: 'True: the answer contains thoughts as parts with `thought`.' }),
  thinkingBudget: optional.integer({
    minimum: -1,
    maximum: mostTokens,
    unit: 'tokens',
    description: 'Largest number of tokens for thinking; 0 turns thinking off, -1 leaves the number to the model.',
  }),
  thinkingLevel: optional.string({ description: 'MINIMAL, LOW, MEDIUM or HIGH.' }),
})

const generationConfig = namedObject('GenerateContentConfig', {
  candidateCount: optional.integer({ minimum: 1, maximum: mostCandidates, description: 'Number of answers.' }),
  maxOutputTokens: optional.integer({
    minimum: 1,
    maximum: mostTokens,
    unit: 'tokens',
    description: 'Largest number of tokens of an answer, thinking included.',
  }),
  stopSequences: optional.array(Type.String({ minLength: 1 }), {
    maxItems: 16,
    description: 'Texts at which the answer ends; up to 4 on a target that does not speak this protocol.',
  }),
  temperature: optional.number({ minimum: 0, maximum: 2 }),
  topP: optional.number({ minimum: 0, maximum: 1 }),
  topK: optional.integer({
    minimum: 1,
    maximum: mostTokens,
    description: 'Each token is chosen from this number of most probable tokens.',
  }),
  seed: optional.integer({ minimum: -(2 ** 31), maximum: mostTokens }),
  presencePenalty: optional.number({ minimum: -2, maximum: 2 }),
  frequencyPenalty: optional.number({ minimum: -2, maximum: 2 }),
  responseLogprobs: optional.boolean(),
  logprobs: optional.integer({ minimum: 0, maximum: 20, description: 'Number of alternatives for each token; needs `responseLogprobs`.' }),
  responseMimeType: optional.string({ description: 'text/plain (default) or application/json.' }),
  responseSchema: free('Form of an answer in JSON, as an OpenAPI schema with types in capitals, or as a JSON schema.'),
  responseJsonSchema: free('Form of an answer in JSON, as a JSON schema; in place of `responseSchema`.'),
  responseModalities: optional.array(Type.String(), {
    description: 'TEXT. Other modalities are allowed only on a target that speaks this protocol.',
  }),
  thinkingConfig: Type.Optional(thinkingConfig),
})

const shared = {
  systemInstruction: Type.Optional(content),
  tools: optional.array(tool, { maxItems: 1000 }),
  toolConfig: Type.Optional(toolConfig),
  generationConfig: Type.Optional(generationConfig),
}

export const contentBody = Type.Object({
  contents: Type.Array(content, { minItems: 1, maxItems: 100_000, description: 'The conversation, oldest first.' }),
  ...shared,
  safetySettings: optional.unsafe<JsonObject[]>({
    type: 'array',
    items: { type: 'object' },
    description: 'Only a target that speaks this protocol follows them.',
  }),
  cachedContent: optional.string({
    description: 'Not offered, because contents that an upstream stores belong to no account of this gateway.',
  }),
})

export const countBody = Type.Object({
  contents: optional.array(content, { maxItems: 100_000, description: 'The conversation; may be in `generateContentRequest` instead.' }),
  ...shared,
  generateContentRequest: optional.object(
    {
      model: optional.string({ description: 'Has no effect; the path names the model.' }),
      contents: optional.array(content, { maxItems: 100_000 }),
      ...shared,
    },
    { description: 'A whole request for content.' },
  ),
})

export type ContentBody = Static<typeof contentBody>
export type CountBody = Static<typeof countBody>
export type Content = Static<typeof content>
export type Part = Static<typeof part>
export type InlineData = Static<typeof inlineData>
/** The members that the body of a request for content shares with that of a count of tokens. */
export type Conversation = Partial<Pick<ContentBody, 'contents' | keyof typeof shared>>
