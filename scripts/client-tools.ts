/** `node scripts/client-tools.ts`: installs the command line clients that tests of `src/clients/cli/` drive, exactly as their lockfile says and without any install script. Changes nothing that is there. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lockfile, manifest, toolsFolder } from '../src/clients/cli/testing/client-tools.ts'

const folder = toolsFolder()
if (!existsSync(folder)) install()
process.stdout.write(`Command line clients: ${folder}\n`)

/** Beside the folder first, so that a half-done one is never taken for it. */
function install(): void {
  mkdirSync(dirname(folder), { recursive: true })
  const partial = mkdtempSync(`${folder}.partial-`)
  try {
    process.stdout.write('Installing the command line clients of the tests (about 740 MB) ...\n')
    copyFileSync(manifest, join(partial, 'package.json'))
    copyFileSync(lockfile, join(partial, 'package-lock.json'))
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { status, error } = spawnSync('npm', args, { cwd: partial, stdio: 'inherit' })
    if (error) throw error
    if (status !== 0) throw new Error('npm ci could not install the command line clients')
    place(partial)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

/** Another install may have been faster; its folder is the same. */
function place(partial: string): void {
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
