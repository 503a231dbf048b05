// Asks a language model and prints the answer word by word (server-sent events).
//   GATEWAY_KEY=sk-choose-a-long-secret node stream.mjs "What is the capital of France?"
// Needs Node 20 or later. GATEWAY_URL is the gateway's address with /v1.
const url = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080/v1'
const question = process.argv[2] ?? 'What is the capital of France?'

const response = await fetch(`${url}/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: question }] }),
})
if (!response.ok) throw new Error(`${response.status}: ${(await response.json()).error.message}`)

for await (const event of eventsOf(response.body)) {
  // A failure after the first word comes as an event.
  if (event.error) throw new Error(event.error.message)
  process.stdout.write(event.choices[0]?.delta.content ?? '')
}
process.stdout.write('\n')

/** Each event is a line `data: {...}`; the last one is `data: [DONE]`. Lines with a colon in front
 *  are comments that keep the connection open. */
async function* eventsOf(body) {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split('\n')
    text = lines.pop()
    for (const line of lines) {
      if (line === 'data: [DONE]') return
      if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
    }
  }
  throw new Error('The stream broke off.')
}
