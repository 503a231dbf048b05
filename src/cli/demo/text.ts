import { type Demo, type DemoCall, type OutputJudge, savedText } from './demo.ts'
import { isObject, says } from './judge/words.ts'
import { post } from './post.ts'

type Body = Record<string, unknown>

const chat = (id: string, title: string, judge: OutputJudge, body: Body): DemoCall => ({
  id,
  title,
  make: async context => {
    const startedAt = performance.now()
    const { choices, usage } = await post<Completion>(context, 'chat/completions', { temperature: 0, seed: 7, ...body })
    const { content, tool_calls: calls } = choices[0]?.message ?? {}
    const said = content ?? (calls ?? []).map(call => `${call.function.name}(${call.function.arguments})`).join('\n')
    return savedText(context, { id, title, text: said, facts: `${usage.completion_tokens} tokens`, startedAt })
  },
  judge,
})

const city = {
  type: 'object',
  properties: { city: { type: 'string', maxLength: 30 }, country: { type: 'string', maxLength: 30 }, is_capital: { type: 'boolean' } },
  required: ['city', 'country', 'is_capital'],
  additionalProperties: false,
}

const forecast = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', maxLength: 30 }, unit: { enum: ['celsius', 'fahrenheit'] } },
      required: ['city', 'unit'],
      additionalProperties: false,
    },
  },
}

export const chatDemo: Demo = {
  family: 'chat',
  calls: [
    chat('chat-capital', 'What is the capital of France?', says(/\bParis\b/), {
      messages: [user('What is the capital of France?')],
      max_tokens: 60,
    }),
    chat('chat-schema', 'Facts about Rome, held to a JSON schema', isObject({ city: 'Rome', country: 'Italy', is_capital: true }), {
      messages: [user('Give facts about the city of Rome as JSON.')],
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema: city, strict: true } },
      max_tokens: 120,
    }),
    chat('chat-tool', 'What is the weather in Paris? (with a tool it has to call)', says(/^get_weather\(\{.*"city": ?"Paris".*\}\)$/), {
      messages: [user('What is the weather in Paris?')],
      tools: [forecast],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_tokens: 120,
    }),
  ],
}

/** The second question can be understood only together with the first, so the model must get
 *  both. */
const questions = ['What is the capital of Japan?', 'And of France?'] as const

export const responsesDemo: Demo = {
  family: 'responses',
  calls: [
    {
      id: 'responses-turns',
      title: 'Two turns of a stored conversation',
      make: async context => {
        const startedAt = performance.now()
        const turn = (body: Body) => post<Response>(context, 'responses', { temperature: 0, max_output_tokens: 60, ...body })
        const first = await turn({ input: questions[0] })
        const second = await turn({ input: questions[1], previous_response_id: first.id })
        const said = `${questions[0]}\n> ${textOf(first)}\n\n${questions[1]}\n> ${textOf(second)}`
        const tokens = first.usage.output_tokens + second.usage.output_tokens
        return savedText(context, {
          id: 'responses-turns',
          title: 'Two turns of a stored conversation',
          text: said,
          facts: `${tokens} tokens`,
          startedAt,
        })
      },
      judge: says(/> .*\bTokyo\b/, /> .*\bParis\b/),
    },
  ],
}

const capital = 'What is the capital of Italy?'

export const messagesDemo: Demo = {
  family: 'messages',
  calls: [
    {
      id: 'messages-italy',
      title: `${capital} (in one sentence)`,
      make: async context => {
        const startedAt = performance.now()
        const body = { max_tokens: 60, temperature: 0, system: 'Answer in one sentence.', messages: [user(capital)] }
        const { content, usage } = await post<Message>(context, 'messages', body)
        const said = content.map(({ text = '' }) => text).join('')
        return savedText(context, { id: 'messages-italy', title: capital, text: said, facts: `${usage.output_tokens} tokens`, startedAt })
      },
      judge: says(/\bRome\b/),
    },
  ],
}

interface Message {
  content: { text?: string }[]
  usage: { output_tokens: number }
}

interface Completion {
  choices: { message: { content: string | null; tool_calls?: { function: { name: string; arguments: string } }[] } }[]
  usage: { completion_tokens: number }
}

interface Response {
  id: string
  output: { content?: { text?: string }[] }[]
  usage: { output_tokens: number }
}

function user(content: string): Body {
  return { role: 'user', content }
}

function textOf({ output }: Response): string {
  return output.flatMap(item => item.content?.map(part => part.text ?? '') ?? []).join('')
}
