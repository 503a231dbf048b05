/** Checks of a gateway that runs from an image or from the tree of one. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Largest size of the image `gateway` above its base image. */
export const mostGatewayBytes = 150e6

export const accessKey = 'sk-containers-test-key'

/** Settings of a gateway that passes pictures on to the gateway at `url`. */
export function relayYaml(url: string): string {
  return `models:
  - id: painter
    family: images
    targets: [{ driver: gateway, base_url: "${url}", api_key: ${accessKey}, model: studio }]
`
}

/** Waits for /healthz for two minutes at most. Throws with `output` when the gateway has ended. */
export async function untilHealthy(url: string, { hasEnded, output }: { hasEnded(): boolean; output(): string }): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (hasEnded()) throw new Error(`The gateway ended at its start:\n${output()}`)
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error(`The gateway did not answer within two minutes:\n${output()}`)
}

/** Has a gateway make a picture and checks that a PNG comes. */
export async function drawPicture(url: string, model: string): Promise<void> {
  const answer = await fetch(`${url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: 'a red fox in the snow', size: '1024x1024', output_format: 'png' }),
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  const bytes = Buffer.from(JSON.parse(text).data[0].b64_json, 'base64')
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
  process.stdout.write(`${model}: a picture of ${bytes.length} bytes\n`)
}

/** Returns a port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}
