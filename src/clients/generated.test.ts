/** Generates clients from `/openapi.json`, compiles the programs of docs/generated-clients.md
 *  against them, and runs the programs. */
// Client: hey-api (npm @hey-api/openapi-ts): createChatCompletion, generateImage, getImageTask,
// editImage.
// Client: openapi-typescript (npm openapi-typescript): createChatCompletion, createResponse,
// generateImage, getImageTask.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { TestGateway } from '../testing/gateway.ts'
import { assertPictures, programEnvironment, programOf, startGeneratedGateway } from './testing/generated-page.ts'

const run = promisify(execFile)
const modules = resolve('node_modules')
const typescript5 = import.meta.resolve('./testing/typescript-5.ts')
/** Each generator takes about 10 s of CPU. */
const limits = { timeout: 180_000 }
/** Settings of the TypeScript compiler. They are strict, because the types of the generated
 *  clients are what is tested. */
const tsconfig = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    // The declarations of Node.js and of the DOM are not what is tested.
    skipLibCheck: true,
    outDir: 'out',
  },
  include: ['client.ts'],
}
let gateway: TestGateway
before(async () => {
  gateway = await startGeneratedGateway()
})
after(() => gateway[Symbol.asyncDispose]())

test(
  'hey-api: a generated client compiles, draws a picture, sends it back as a file, has a conversation and shows a refusal',
  limits,
  async () => {
    const said = await runProgram('hey-api', ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'gateway'])
    assert.deepEqual(said, ['whole: It is Paris.', 'streamed: It is Paris.', 'refused: invalid_request width'])
  },
)

test('openapi-typescript: generated types compile, and a program with them does the same except for the file', limits, async () => {
  const said = await runProgram('openapi-typescript', ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'gateway.ts'])
  assert.deepEqual(said, ['whole: It is Paris.', 'response: It is Paris.', 'refused: invalid_request width'])
})

/** Generates a client in an empty folder. Compiles the program that docs/generated-clients.md has
 *  for this generator together with the client, runs it, and checks the pictures that it writes.
 *  Returns the lines of the program's output. */
async function runProgram(generator: string, [bin = '', ...args]: string[]): Promise<string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'generated-client-'))
  try {
    await symlink(modules, join(cwd, 'node_modules'))
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig))
    await writeFile(join(cwd, 'openapi.json'), (await gateway.call('/openapi.json')).bytes)
    await writeFile(join(cwd, 'client.ts'), await programOf('ts', generator))
    await node([join(modules, bin), ...args], { cwd, env: { NODE_OPTIONS: `--import ${typescript5}` } })
    await node([join(modules, 'typescript/bin/tsc')], { cwd })
    const { stdout } = await node(['out/client.js'], { cwd, env: programEnvironment(gateway) })
    await assertPictures(cwd, 'picture.png', ...(generator === 'hey-api' ? ['edited.png'] : []))
    return stdout.trim().split('\n')
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

/** Runs Node.js. The error of a failed run contains the output, because compilers print their
 *  errors to stdout. */
async function node(args: string[], { cwd, env = {} }: { cwd: string; env?: Record<string, string> }): Promise<{ stdout: string }> {
  try {
    return await run(process.execPath, args, { cwd, env: { ...process.env, ...env }, timeout: limits.timeout })
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error)
    throw new Error(`${args[0]}: ${stdout}${stderr}`, { cause: error })
  }
}
