import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Returns the paths of the repository's files that match one of these Git path patterns, or of
 *  all its files when there is none. Files that are not committed yet are among them, so that a
 *  check fails before the commit and not only in a clone; deleted and ignored files are not. */
export function repositoryFiles(...patterns: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns], { encoding: 'utf8' })
    .split('\0')
    .filter(file => file !== '' && existsSync(file))
}
