/** Fails when a function is longer than 60 lines, a source file longer than 400 (tests: 600), a
 *  folder directly contains more than 25 source files, or a file is larger than 15 MB. */
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { longFunctions } from './function-lines.ts'
import { repositoryFiles } from './repository-files.ts'

const functionLines = 60
const sourceLines = 400
const testLines = 600
const filesOfFolder = 25
/** Folder whose subfolders may contain more files than others: there is one file for each drawing
 *  and for each word that can be drawn. */
const wideFolders = 'engines/studio/'
/** Folders with code for tests. */
const testFolders = ['testing', 'tests', 'suite']
const largestFile = 15 * 1024 * 1024

const problems: string[] = []
const sources = new Map<string, number>()
for (const file of repositoryFiles()) {
  const { size } = statSync(file)
  if (size > largestFile) problems.push(`${file} has ${size} bytes; at most ${largestFile}.`)
  if (!/^(src|kit|engines|scripts|bench)\/.*\.ts$/.test(file)) continue
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n').length - 1
  const isTest = file.endsWith('.test.ts')
  const isOfTests = isTest || file.split('/').some(part => testFolders.includes(part))
  for (const long of longFunctions(file, text, { most: functionLines, isTest: isOfTests }))
    problems.push(`${file}: ${long.name} has ${long.lines} lines; at most ${functionLines}.`)
  if (!isTest && !file.startsWith(wideFolders)) sources.set(dirname(file), (sources.get(dirname(file)) ?? 0) + 1)
  const limit = isTest || dirname(file).endsWith('/suite') ? testLines : sourceLines
  if (lines > limit) problems.push(`${file} has ${lines} lines; at most ${limit}.`)
}
for (const [folder, count] of sources)
  if (count > filesOfFolder) problems.push(`${folder} has ${count} source files; at most ${filesOfFolder}.`)
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
