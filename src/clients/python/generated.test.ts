/** Generates a Python client from `/openapi.json` with openapi-python-client, and runs the
 *  program of docs/generated-clients.md with it. */
// Client: openapi-python-client (pypi openapi-python-client): createChatCompletion,
// generateImage, getImageTask, editImage.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { operations } from '../../testing/documented.ts'
import type { TestGateway } from '../../testing/gateway.ts'
import { assertPictures, programEnvironment, programOf, startGeneratedGateway } from '../testing/generated-page.ts'
import { needEnvironment } from './testing/environments.ts'
import { pythonEnvironment } from './testing/run-cases.ts'

const run = promisify(execFile)
/** The generator takes about 15 s of CPU. */
const longestMs = 240_000
/** A Python program that imports every module of the generated client. Prints the number of modules
 *  that contain an operation. */
const importAll = `
import importlib, pkgutil, generation_gateway_client as client
names = [module.name for module in pkgutil.walk_packages(client.__path__, client.__name__ + '.')]
for name in names: importlib.import_module(name)
print(sum(name.count('.') == 3 and '.api.' in name for name in names))`

let gateway: TestGateway
before(async () => {
  gateway = await startGeneratedGateway()
})
after(() => gateway[Symbol.asyncDispose]())

test('openapi-python-client: a generated client has every operation, draws a picture, sends it back as a file, has a conversation and streams one', {
  ...needEnvironment('generator'),
  timeout: longestMs,
}, async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'generated-client-'))
  const python = async (command: string, args: string[]) => {
    const env = pythonEnvironment('generator', { ...programEnvironment(gateway), PYTHONPATH: join(cwd, 'gateway') })
    return (await run(command, args, { cwd, env, timeout: longestMs })).stdout.trim().split('\n')
  }
  try {
    await writeFile(join(cwd, 'openapi.json'), (await gateway.call('/openapi.json')).bytes)
    await writeFile(join(cwd, 'gateway.yaml'), await programOf('yaml', 'openapi-python-client'))
    await writeFile(join(cwd, 'client.py'), await programOf('python', 'openapi-python-client'))
    const generate = ['generate', '--path', 'openapi.json', '--config', 'gateway.yaml', '--output-path', 'gateway']
    const said = (await python('openapi-python-client', generate)).join('\n')
    assert.doesNotMatch(said, /will not be generated|will be omitted/)
    assert.deepEqual(await python('python', ['-c', importAll]), [String(operations.length)])
    assert.deepEqual(await python('python', ['client.py']), [
      'whole: It is Paris.',
      'streamed: It is Paris.',
      'refused: invalid_request width',
    ])
    await assertPictures(cwd, 'picture.png', 'edited.png')
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
})
