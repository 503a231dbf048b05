import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { rootCertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { type EnvironmentName, environmentFolder, programsFolder } from './environments.ts'

/** Time limit in ms for one run of a script; it allows for a machine that runs other tests at
 *  the same time. */
const longestMs = 300_000

interface Case {
  title: string
  /** Place and reason of the failure; null for a case that passed. */
  error: string | null
}

/** Runs a Python script of the parent folder in the environment. Each case that the script
 *  reports becomes a subtest. Throws when the environment is missing, and when the script ends
 *  before it has reported all cases. */
export async function runCases(t: TestContext, name: EnvironmentName, script: string, env: Record<string, string>): Promise<void> {
  if (!existsSync(environmentFolder(name))) throw new Error('the Python clients are not installed; run: node scripts/python-clients.ts')
  const file = fileURLToPath(new URL(`../${script}`, import.meta.url))
  const child = spawn('python', [file], {
    env: pythonEnvironment(name, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  const said = text(child.stderr)
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const { title, error }: Case = JSON.parse(line)
    count++
    await t.test(title, () => {
      if (error !== null) throw new Error(error)
    })
  }
  if ((await ended) !== 0) throw new Error(`${script} broke off after ${count} cases:\n${await said}`)
}

/** Returns the environment variables for a Python program: PATH (with the environment's programs
 *  first) and HOME of the real user, settings that stop libraries from calling other services,
 *  and `env`. */
export function pythonEnvironment(name: EnvironmentName, env: Record<string, string>): Record<string, string> {
  return {
    PATH: `${programsFolder(name)}${delimiter}${process.env.PATH ?? ''}`,
    HOME: process.env.HOME ?? '',
    PYTHONUNBUFFERED: '1',
    // Loading the usual bundle of certificates takes 50 ms for each new client. The tests use plain
    // HTTP, so a file with one certificate is enough.
    SSL_CERT_FILE: oneCertificate(name),
    NO_COLOR: '1',
    ...{ OPENAI_AGENTS_DISABLE_TRACING: '1', LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_TELEMETRY: 'False', LANGSMITH_TRACING: 'false' },
    ...{ HAYSTACK_TELEMETRY_ENABLED: 'False', AGNO_TELEMETRY: 'false', LANGFUSE_TRACING_ENABLED: 'false', HF_HUB_DISABLE_TELEMETRY: '1' },
    ...env,
  }
}

/** Returns a file in the environment with a single one of the usual certificates. */
function oneCertificate(name: EnvironmentName): string {
  const file = join(environmentFolder(name), 'one-certificate.pem')
  if (!existsSync(file)) writeFileSync(file, rootCertificates[0]!)
  return file
}
