import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the packages of a lockfile into a folder, in exactly the versions of the lockfile.
 *  No install scripts are run. */
export function npmCi(folder: string, { manifest, lockfile }: { manifest: URL; lockfile: URL }): void {
  copyFileSync(manifest, join(folder, 'package.json'))
  copyFileSync(lockfile, join(folder, 'package-lock.json'))
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error(`npm ci could not install the packages of ${lockfile.pathname}`)
}
