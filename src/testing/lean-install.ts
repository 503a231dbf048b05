/** Creates an installation of the gateway without its built-in engines, as docs/running.md
 *  describes it. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const parts = ['package.json', 'package-lock.json', '.npmrc', 'bin', 'kit', 'scripts', 'src']

/** Returns the installation command in docs/running.md. */
export function leanCommand(): string {
  const command = /^npm ci --workspace=.*$/m.exec(readFileSync(join(root, 'docs/running.md'), 'utf8'))?.[0]
  if (command === undefined) throw new Error('docs/running.md does not say how to install the gateway without engines')
  return command
}

/** Copies the project without the engines, and installs the copy with the command in
 *  docs/running.md. */
export async function installLean(folder: string): Promise<void> {
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true })
  // Variables that npm has set for the run of the tests refer to the folder of the project, so they
  // are removed.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|userconfig)$)/.test(name)))
  const { status, stdout, stderr, error } = spawnSync(`${leanCommand()} --prefer-offline`, {
    cwd: folder,
    env,
    shell: true,
    encoding: 'utf8',
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${leanCommand()} ended with ${status}:\n${stdout}\n${stderr}`)
}

/** Total bytes of the files in a folder; does not follow links. */
export function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Adds an engine package that consists of one module with this text. */
export async function addEngine(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, 'engines', name)
  await mkdir(path, { recursive: true })
  const manifest = { name: `@generation-gateway/${name}`, type: 'module', exports: './driver.ts' }
  await writeFile(join(path, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(path, 'driver.ts'), text)
  await symlink(`../../engines/${name}`, join(folder, 'node_modules/@generation-gateway', name))
}
