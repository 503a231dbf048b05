import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openScratch } from './scratch.ts'

test('a starting node empties its own scratch folder and those of ended nodes, and leaves those of running nodes', async context => {
  const directory = await dataFolder(context)
  const common = join(directory, 'gateway-scratch')
  const running = await openScratch(directory, 'running')
  await writeFile(join(running.folder, 'in-use'), 'x')
  // Creates what other nodes may have left: folders with and without a lock file, a lock file
  // without a folder, and files of earlier versions.
  for (const folder of ['killed', 'own', 'adopt-x1']) {
    await mkdir(join(common, folder))
    await writeFile(join(common, folder, 'half-done'), 'x')
  }
  for (const file of ['.lock-killed', '.lock-ended', 'voice.wav']) await writeFile(join(common, file), '')
  const own = await openScratch(directory, 'own')
  assert.deepEqual((await readdir(common)).sort(), ['.lock-own', '.lock-running', 'own', 'running'])
  assert.deepEqual(await readdir(own.folder), [])
  assert.deepEqual(await readdir(running.folder), ['in-use'])
  assert.equal((await stat(own.folder)).mode & 0o777, 0o700)
  await own.close()
  await running.close()
  assert.deepEqual(await readdir(common), [])
})

test('a second node with the same name is refused until the first has ended', async context => {
  const directory = await dataFolder(context)
  const first = await openScratch(directory, 'twin')
  await assert.rejects(openScratch(directory, 'twin'), {
    code: 'store_unavailable',
    message: new RegExp(`uses the data directory ${directory} under the node name twin; GATEWAY_NODE_NAME`),
  })
  await access(first.folder)
  await first.close()
  await (await openScratch(directory, 'twin')).close()
})

test('a folder is kept while its process runs, and removed after kill -9', async context => {
  const directory = await dataFolder(context)
  const program = `const { openScratch } = await import(${JSON.stringify(new URL('./scratch.ts', import.meta.url).href)})
    const { folder } = await openScratch(process.argv[1], 'other')
    console.log(folder)
    setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  context.after(() => other.kill('SIGKILL'))
  const [line] = await once(other.stdout, 'data')
  const folder = String(line).trim()
  await writeFile(join(folder, 'half-done'), 'x')
  await (await openScratch(directory, 'one')).close()
  assert.deepEqual(await readdir(folder), ['half-done'])
  other.kill('SIGKILL')
  await once(other, 'exit')
  const next = await openScratch(directory, 'one')
  await assert.rejects(access(folder), { code: 'ENOENT' })
  await next.close()
})

async function dataFolder(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-scratch-'))
  context.after(() => rm(directory, { recursive: true }))
  return directory
}
