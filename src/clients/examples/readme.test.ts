/** Runs the commands in README.md and docs/first-requests.md against a gateway without
 *  configuration, as a new user would paste them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { needPack } from '../../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { needPrograms } from './testing/run-example.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const packs = ['text-0.5b', 'embed-minilm', 'speech-hibari', 'whisper-base', 'whisper-program', 'voice-activity', 'ffmpeg']
/** For each page, a pattern that the output of its commands must match; the parts of the pattern
 *  follow the order of the commands. */
const pages: Record<string, RegExp> = {
  'README.md': /\/files\/[\s\S]*Paris[\s\S]*\[DONE\][\s\S]*Madrid[\s\S]*Rome[\s\S]*"embedding"[\s\S]*1\n00:00:0[\s\S]*lighthouse/i,
  'docs/first-requests.md':
    /polling_url[\s\S]*polling_url[\s\S]*\/files\/[\s\S]*Paris[\s\S]*1\n00:00:0[\s\S]*lighthouse[\s\S]*"object":"video"/i,
}

let gateway: TestGateway
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
  await sharp({ create: { width: 320, height: 240, channels: 3, background: '#80c080' } }).toFile(join(folder, 'picture.jpg'))
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

for (const [page, answers] of Object.entries(pages))
  test(`${page}: its commands work`, needs(), async () => {
    const { code, stdout, stderr } = await paste(await commandsOf(page))
    assert.equal(code, 0, stderr)
    assert.doesNotMatch(stdout, /"error":\{/)
    assert.match(stdout, answers)
  })

function needs(): { skip?: string } {
  return Object.assign({}, needPrograms({ needs: ['bash', 'curl', 'jq', 'base64'] }), ...packs.map(needPack))
}

/** Returns the code blocks of a page that send requests or set variables for them. The address
 *  on the page is replaced by that of this gateway. */
async function commandsOf(page: string): Promise<string> {
  const blocks = [...(await readFile(join(root, page), 'utf8')).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const commands = blocks.filter(block => /^export|curl/m.test(block)).join('\n')
  return commands.replaceAll('http://127.0.0.1:8080', gateway.url).replaceAll('sk-choose-a-long-secret', testKey)
}

async function paste(commands: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}
