// Receives webhooks, verifies their signatures and prints what has ended.
//   WEBHOOK_SECRET=hook-secret node webhook.mjs [port]
// WEBHOOK_SECRET is the task's `webhook_secret`, or the account's secret of webhooks.
// Needs Node 20 or later.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('WEBHOOK_SECRET is the secret of the signatures.')
// Behind `whsec_` the key is base64; any other secret is the key as text.
const key = secret.startsWith('whsec_')
  ? Buffer.from(secret.slice('whsec_'.length), 'base64')
  : Buffer.from(secret)
const seen = new Set()

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const reason = reasonToRefuse(request.headers, body)
  if (reason !== undefined) {
    response.writeHead(401, { 'content-type': 'text/plain' }).end(`${reason}\n`)
    return
  }
  // Answer at once and do the work afterwards: a delivery without an answer in 30 s is sent again.
  response.writeHead(204).end()
  // A delivery may come more than once, always with the same id.
  const id = request.headers['webhook-id']
  if (seen.has(id)) return
  seen.add(id)
  console.log(`${id} ${body}`)
})
server.listen(Number(process.argv[2] ?? 9000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/`)
})

/** A sentence for a delivery that the gateway did not sign, or not now; undefined for one that it did. */
function reasonToRefuse(headers, body) {
  const time = headers['webhook-timestamp'] ?? ''
  if (!/^\d{1,12}$/.test(time)) return 'webhook-timestamp is missing.'
  // An old delivery may be one that somebody recorded and sends again.
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300)
    return 'webhook-timestamp is more than five minutes away.'
  const hmac = createHmac('sha256', key).update(`${headers['webhook-id']}.${time}.`).update(body)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  // There may be several signatures with blanks between: one for each secret that is valid now.
  const signatures = (headers['webhook-signature'] ?? '').split(' ').map(each => Buffer.from(each))
  const fits = signatures.some(each => each.length === expected.length && timingSafeEqual(each, expected))
  return fits ? undefined : 'webhook-signature does not fit.'
}
