import { readFileSync, writeFileSync } from 'node:fs'

/** Largest number of characters in a line of comments and prose. */
export const columns = 100

/** Replaces the text of each file by the result of `wrapped`. With the argument --check, no file is
 *  changed: files whose text would change are listed on stderr, and the process ends with exit code
 *  1. `what` names the wrapped text in the message. */
export function wrapFiles(paths: readonly string[], what: string, wrapped: (text: string, path: string) => string): void {
  const isCheck = process.argv.includes('--check')
  for (const path of paths) {
    const text = readFileSync(path, 'utf8')
    const changed = wrapped(text, path)
    if (changed === text) continue
    if (!isCheck) writeFileSync(path, changed)
    else {
      process.stderr.write(`${path} has ${what} beyond ${columns} columns: run npm run format\n`)
      process.exitCode = 1
    }
  }
}
