import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const kit = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs the program of an engine's README, unchanged, in a folder that has this engine and the kit
 *  and nothing of the gateway. Resolves with its output; throws when it fails. */
export async function runReadme(engine: string, folder: string): Promise<string> {
  const { name } = JSON.parse(await readFile(join(engine, 'package.json'), 'utf8'))
  const readme = await readFile(join(engine, 'README.md'), 'utf8')
  const program = /^```js\n([\s\S]*?)^```$/m.exec(readme)?.[1]
  if (program === undefined) throw new Error(`the README of ${name} has no program`)
  const packages = join(folder, 'node_modules', '@generation-gateway')
  await mkdir(packages, { recursive: true })
  await symlink(kit, join(packages, 'kit'))
  await symlink(engine, join(folder, 'node_modules', name))
  await writeFile(join(folder, 'program.mjs'), program)
  const child = spawn(process.execPath, ['program.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`the program of the README ended with ${code}:\n${error}`)
  return out
}
