// Draws a picture as a task: submits it, polls until it has ended, downloads the file.
//   GATEWAY_KEY=sk-choose-a-long-secret node task.mjs [file]
// Needs Node 20 or later. GATEWAY_URL is the gateway's address with /v1.
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const url = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080/v1'
const authorization = `Bearer ${process.env.GATEWAY_KEY}`
const file = process.argv[2] ?? 'picture.jpg'

async function call(address, options = {}) {
  const response = await fetch(address, { ...options, headers: { authorization, ...options.headers } })
  const body = await response.json()
  if (!response.ok) throw new Error(`${response.status}: ${body.error.message}`)
  return body
}

const { polling_url: pollingUrl } = await call(`${url}/ai/default/imgf/image/generate`, {
  method: 'POST',
  // The idempotency key makes a repeated submit safe: the gateway answers it with the same task.
  headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
  body: JSON.stringify({
    prompt: 'a red fox under a cherry tree at sunset, watercolor',
    width: 768,
    height: 512,
    seed: 7,
  }),
})

let task = await call(pollingUrl)
while (task.status === 'Pending') {
  await sleep(500)
  task = await call(pollingUrl)
}
if (task.status !== 'Ready')
  throw new Error(`The task ended as ${task.status}: ${JSON.stringify(task.details)}`)

// The link is signed: whoever has it needs no key. It is valid for ten minutes.
const picture = await fetch(task.result.sample)
if (!picture.ok) throw new Error(`The picture could not be downloaded: ${picture.status}`)
await writeFile(file, picture.body)
console.log(`wrote ${file}`)
