/** Clients generated from `/openapi.json`: the programs of docs/generated-clients.md are compiled against them and run. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { fakeTextDriver, says } from '../testing/fake-text-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const run = promisify(execFile)
const modules = resolve('node_modules')
const typescript5 = import.meta.resolve('./testing/typescript-5.ts')
/** As a careful project sets it; the test is about types. */
const tsconfig = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    outDir: 'out',
  },
  include: ['client.ts'],
}
// The default model of chat is the test's: what it says is not what is tried here.
const yaml = `
accounts:
  - id: acme
    keys: [{ name: generated, secret_env: KEY }]
    endpoints: [{ name: default, routes: { F1: {}, chat: { model: fake }, responses: { model: fake } } }]
models:
  - { id: fake, family: [chat, responses], targets: [{ driver: t }] }
`

let gateway: TestGateway
before(async () => {
  const drivers = [fakeTextDriver('t', () => says('It is Paris.'))]
  gateway = await startTestGateway({ drivers, yaml, env: { KEY: `${testKey}-2`, GATEWAY_ENGINE_WORKERS: '1' } })
})
after(() => gateway[Symbol.asyncDispose]())

test('hey-api: a generated client compiles, draws a picture, holds a conversation and shows a refusal', { timeout: 90_000 }, async () => {
  const said = await runProgram('hey-api', ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'gateway'])
  assert.deepEqual(said, ['whole: It is Paris.', 'streamed: It is Paris.', 'refused: invalid_request width'])
})

test('openapi-typescript: generated types compile, and a program with them does the same', { timeout: 90_000 }, async () => {
  const said = await runProgram('openapi-typescript', ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'gateway.ts'])
  assert.deepEqual(said, ['whole: It is Paris.', 'response: It is Paris.', 'refused: invalid_request width'])
})

/** Generates in an empty folder, compiles the program that the page has for it, runs it, and looks at its picture. Gives its lines. */
async function runProgram(generator: string, [bin = '', ...args]: string[]): Promise<string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'generated-client-'))
  try {
    await symlink(modules, join(cwd, 'node_modules'))
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig))
    await writeFile(join(cwd, 'openapi.json'), (await gateway.call('/openapi.json')).bytes)
    await writeFile(join(cwd, 'client.ts'), await programOf(generator))
    await node([join(modules, bin), ...args], { cwd, env: { NODE_OPTIONS: `--import ${typescript5}` } })
    await node([join(modules, 'typescript/bin/tsc')], { cwd })
    const { stdout } = await node(['out/client.js'], { cwd, env: { GATEWAY_URL: gateway.url, GATEWAY_ACCESS_KEY: `${testKey}-2` } })
    const { format, width, height } = await sharp(await readFile(join(cwd, 'picture.png'))).metadata()
    assert.deepEqual([format, width, height], ['png', 256, 256])
    return stdout.trim().split('\n')
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

/** Errors carry what the program printed: the compiler tells its findings there. */
async function node(args: string[], { cwd, env = {} }: { cwd: string; env?: Record<string, string> }): Promise<{ stdout: string }> {
  try {
    return await run(process.execPath, args, { cwd, env: { ...process.env, ...env }, timeout: 60_000 })
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error)
    throw new Error(`${args[0]}: ${stdout}${stderr}`, { cause: error })
  }
}

async function programOf(generator: string): Promise<string> {
  const page = await readFile('docs/generated-clients.md', 'utf8')
  const program = page.split(`\`\`\`ts ${generator}\n`)[1]?.split('\n```')[0]
  assert.ok(program, `the page has no program for ${generator}`)
  return program
}
