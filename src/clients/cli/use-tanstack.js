// Client: TanStack AI (cli @tanstack/ai, cli @tanstack/ai-openai): createChatCompletion,
// createResponse.
/* Prints, as a line of JSON for each of the two protocols, a whole answer, a streamed one and one
   after a tool. The libraries are in the folder that CLIENT_TOOLS names. */
const { CLIENT_TOOLS, GATEWAY_URL: baseURL, GATEWAY_KEY: key, MODEL: model } = process.env
const load = name => import(`file://${CLIENT_TOOLS}/node_modules/@tanstack/${name}/dist/esm/index.js`)
const { chat, toolDefinition } = await load('ai')
const { createOpenaiChat, createOpenaiChatCompletions } = await load('ai-openai')

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = toolDefinition({ name: 'get_weather', description: 'Weather.', inputSchema }).server(({ city }) =>
  city === 'Paris' ? 'rain' : 'unknown',
)
const says = content => [{ role: 'user', content }]

for (const create of [createOpenaiChat, createOpenaiChatCompletions]) {
  const adapter = create(model, key, { baseURL })
  const whole = await chat({ adapter, messages: says('hello'), stream: false })
  const words = []
  for await (const chunk of chat({ adapter, messages: says('hello') })) if (chunk.type === 'TEXT_MESSAGE_CONTENT') words.push(chunk.delta)
  const tool = await chat({ adapter, messages: says('use get_weather'), tools: [weather], stream: false })
  process.stdout.write(`${JSON.stringify({ whole, words, tool })}\n`)
}
