/** `node scripts/claude-code.ts`: installs Claude Code for `src/clients/cli/claude-code.test.ts`
 *  into the user's cache, in exactly the version and with the hash of
 *  `src/clients/cli/packages/claude-code.json`. Its licence is proprietary (Anthropic's commercial
 *  terms), so the project does not depend on it, and no other script installs it. Does nothing when
 *  it is already installed. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { claudeCodeFolder, claudeCodePackage } from '../src/clients/cli/testing/client-tools.ts'
import { installWhole } from '../src/clients/testing/clients-folder.ts'

const folder = claudeCodeFolder()
installWhole(folder, install)
process.stdout.write(`Claude Code: ${folder}\n`)

function install(partial: string): void {
  const { name, version, integrity } = JSON.parse(readFileSync(claudeCodePackage, 'utf8'))
  process.stdout.write(`Installing Claude Code ${version} (about 400 MB; proprietary, see its LICENSE.md) ...\n`)
  const packed = run(partial, 'npm', ['pack', '--silent', `${name}@${version}`])
  const file = join(partial, packed.trim().split('\n').at(-1) ?? '')
  if (`sha512-${hash('sha512', readFileSync(file), 'base64')}` !== integrity)
    throw new Error(`${name}@${version} has another hash than ${integrity}.`)
  run(partial, 'tar', ['xzf', file])
  rmSync(file)
}

function run(cwd: string, command: string, args: string[]): string {
  const { status, error, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}.`)
  return stdout
}
