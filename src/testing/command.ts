/** Commands of the real program, each in a process of its own. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const entry = fileURLToPath(new URL('../cli/gateway.ts', import.meta.url))

/** Runs a command with exactly these settings. Returns its output; throws what it printed to stderr
 *  when it fails. */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, [entry, ...args], { env: withPath(env) })).stdout
  } catch (error) {
    throw new Error(Object(error).stderr)
  }
}

/** Starts a command and sends SIGKILL as soon as the condition holds; fails when the command ends
 *  before. */
export async function killCommandWhen(
  condition: () => Promise<boolean>,
  args: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  const child = spawn(process.execPath, [entry, ...args], { env: withPath(env), stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!(await condition())) {
    assert.equal(child.exitCode, null, 'the command ended before it could be killed')
    await sleep(1)
  }
  child.kill('SIGKILL')
  await ended
  assert.equal(child.signalCode, 'SIGKILL')
}

function withPath(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...env }
}
