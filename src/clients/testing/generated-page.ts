/** Reads the programs of docs/generated-clients.md, and starts the gateway that they call. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { fakeTextDriver, says } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

// A fake driver serves the default chat model, because the tests do not check its answers.
const yaml = `
accounts:
  - id: acme
    keys: [{ name: generated, secret_env: KEY }]
    endpoints: [{ name: default, routes: { F1: {}, images: {}, chat: { model: fake }, responses: { model: fake } } }]
models:
  - { id: fake, family: [chat, responses], targets: [{ driver: t }] }
`

/** The key that the programs use. */
const key = `${testKey}-2`

export function startGeneratedGateway(): Promise<TestGateway> {
  const drivers = [fakeTextDriver('t', () => says('It is Paris.'))]
  return startTestGateway({ drivers, yaml, env: { KEY: key, GATEWAY_ENGINE_WORKERS: '1' } })
}

/** Returns the environment variables that a program reads. */
export function programEnvironment(gateway: TestGateway): Record<string, string> {
  return { GATEWAY_URL: gateway.url, GATEWAY_ACCESS_KEY: key }
}

/** Returns the page's program for the generator, in this language (`ts`, `python`). */
export async function programOf(language: string, generator: string): Promise<string> {
  const page = await readFile('docs/generated-clients.md', 'utf8')
  const program = page.split(`\`\`\`${language} ${generator}\n`)[1]?.split('\n```')[0]
  assert.ok(program, `the page has no program for ${generator}`)
  return program
}

/** Asserts that a program has left pictures with these names in the folder: PNGs of 256 by 256
 *  pixels that differ from each other. */
export async function assertPictures(folder: string, ...names: readonly string[]): Promise<void> {
  const files = await Promise.all(names.map(name => readFile(join(folder, name))))
  for (const file of files) {
    const { format, width, height } = await sharp(file).metadata()
    assert.deepEqual([format, width, height], ['png', 256, 256])
  }
  assert.equal(new Set(files.map(file => file.toString('base64'))).size, files.length)
}
