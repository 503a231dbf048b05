import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { pageCommand, pageFile } from '../../testing/clients-page.ts'
import { pythonEnvironment } from './run-cases.ts'

/** The port of the proxy in docs/clients.md. */
export const pageProxyPort = 4000

export interface LitellmProxy {
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts LiteLLM's proxy with the command in docs/clients.md, but on this port. Resolves when
 *  the proxy answers. */
export async function startLitellmProxy(port: number, env: Record<string, string>): Promise<LitellmProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'litellm-proxy-'))
  await writeFile(join(folder, 'litellm.yaml'), pageFile('LiteLLM proxy', 'litellm.yaml'))
  const command = pageCommand('LiteLLM proxy').replace(String(pageProxyPort), String(port))
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: { ...pythonEnvironment('litellm', env), HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve, reject) => child.once('error', reject).once('exit', () => resolve()))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-10_000)
    })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await until(async () => child.exitCode !== null || (await isServing(port)), 'the LiteLLM proxy')
    if (child.exitCode !== null) throw new Error(`the LiteLLM proxy ended at its start:\n${said}`)
  } catch (error) {
    await stop()
    throw error
  }
  return { [Symbol.asyncDispose]: stop }
}

async function isServing(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok
  } catch {
    // The proxy does not accept connections yet.
    return false
  }
}
