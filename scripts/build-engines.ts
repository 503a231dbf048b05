/** Writes the declarations of the engines (src/engine-runs/declared-engines.json), with which
 *  gateways without engines know them. With --check it fails when the file is not up to date. */
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
