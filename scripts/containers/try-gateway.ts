/** Functions that check a running gateway, whether it runs from an image or from a folder with the
 *  same files. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Largest number of bytes that the image `gateway` may add to its base image. */
export const mostGatewayBytes = 150e6

export const accessKey = 'sk-containers-test-key'

/** Returns the configuration of a gateway that sends requests for pictures to the gateway at
 *  `url`. */
export function relayYaml(url: string): string {
  return `models:
  - id: painter
    family: images
    targets: [{ driver: gateway, base_url: "${url}", api_key: ${accessKey}, model: studio }]
`
}

/** Resolves when /healthz answers. Throws an error with `output` when the gateway has ended, or has
 *  not answered within two minutes. */
export async function untilHealthy(url: string, { hasEnded, output }: { hasEnded(): boolean; output(): string }): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (hasEnded()) throw new Error(`The gateway ended at its start:\n${output()}`)
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error(`The gateway did not answer within two minutes:\n${output()}`)
}

/** Requests a picture from a gateway and asserts that the answer is a PNG. */
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
