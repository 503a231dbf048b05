import type { Example } from '../../contract/operation.ts'
import type { ContentAnswer, ModelInfo } from './reply-schema.ts'

export const model = 'qwen2.5-coder-0.5b-instruct'
const path = { model }
const head = { modelVersion: model, responseId: '6f1d2c9ab0e94f0d8a1c52e7b3f4a651' }

const question = {
  contents: [{ role: 'user', parts: [{ text: 'What is the capital of France?' }] }],
  generationConfig: { maxOutputTokens: 60 },
}

const answer: ContentAnswer = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'The capital of France is Paris.' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 14, candidatesTokenCount: 8, totalTokenCount: 22 },
  ...head,
}

const weather = {
  name: 'weather',
  description: 'Weather of a city.',
  parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
}

export const contentExamples: Example[] = [
  { title: 'A question', path, body: question, reply: answer },
  {
    title: 'A function is called',
    path,
    body: {
      systemInstruction: { parts: [{ text: 'Answer with the tools.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Weather in Oslo?' }] }],
      tools: [{ functionDeclarations: [weather] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
      generationConfig: { maxOutputTokens: 40, temperature: 0 },
    },
    reply: {
      candidates: [
        {
          content: { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'weather', args: { city: 'Oslo' } } }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 9, totalTokenCount: 129 },
      ...head,
    },
  },
]

export const arrayExamples: Example[] = [{ title: 'A JSON array', path, body: question }]
export const eventExamples: Example[] = [{ title: 'Events', path, query: { alt: 'sse' }, body: question }]
export const countExamples: Example[] = [{ title: 'A question', path, body: { contents: question.contents }, reply: { totalTokens: 36 } }]

export const modelExample: ModelInfo = {
  name: `models/${model}`,
  version: model,
  displayName: 'Qwen2.5 Coder 0.5B Instruct, built in',
  description: 'Qwen2.5 Coder 0.5B Instruct, built in',
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
}
