/** Writes the declarations of all engines to src/engine-runs/declared-engines.json. A gateway
 *  that has no engine packages reads from this file what the engines can do. With --check, fails
 *  when the file is not up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { declarationsText } from '../src/engine-runs/declared-engines.ts'
import { engines } from '../src/engines.ts'

const path = 'src/engine-runs/declared-engines.json'
const text = declarationsText(engines)
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
  process.stderr.write(`${path} is not up to date: run npm run docs\n`)
  process.exitCode = 1
}
