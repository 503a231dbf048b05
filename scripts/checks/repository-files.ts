import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Returns the paths of the repository's files that match one of these Git path patterns; all files
 *  when there is no pattern. Includes files that are not committed yet, so that a check finds a
 *  problem before the commit. Does not include deleted and ignored files. */
export function repositoryFiles(...patterns: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns], { encoding: 'utf8' })
    .split('\0')
    .filter(file => file !== '' && existsSync(file))
}
