import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildTree } from './build-tree.ts'
import { readContainerfile, readIgnored } from './containerfile.ts'

const files = ['package.json', '.npmrc', 'src/main.ts', 'src/main.test.ts', 'src/testing/help.ts', 'secret.key']
const ignored = '*\n!package.json\n!.npmrc\n!src\n**/*.test.ts\n**/testing\n'

function build(context: TestContext, steps: string): { folder: string; root: string } {
  const place = mkdtempSync(join(tmpdir(), 'gateway-tree-'))
  context.after(() => rmSync(place, { recursive: true }))
  for (const file of files) {
    mkdirSync(dirname(join(place, 'project', file)), { recursive: true })
    writeFileSync(join(place, 'project', file), file)
  }
  const stages = readContainerfile(`FROM node:1 AS base\nWORKDIR /opt/app\nFROM base AS tree\n${steps}\n`)
  const root = join(place, 'root')
  return { root, folder: buildTree({ stages, isIgnored: readIgnored(ignored), context: join(place, 'project') }, 'tree', root) }
}

test('files and folders are copied to where a container would have them, without what is ignored', context => {
  const { root, folder } = build(
    context,
    'COPY package.json .npmrc ./\nCOPY src src\nCOPY src/main.ts /etc/named\nRUN cat package.json > made',
  )
  assert.equal(folder, join(root, 'opt/app'))
  const found = [...globSync(['**/*', '**/.*'], { cwd: root, withFileTypes: true })]
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length))
  assert.deepEqual(found.toSorted(), ['/etc/named', '/opt/app/.npmrc', '/opt/app/made', '/opt/app/package.json', '/opt/app/src/main.ts'])
  assert.equal(readFileSync(join(folder, 'made'), 'utf8'), 'package.json')
})

test('a step that fails, a file that is missing or ignored, and an instruction without meaning for a tree are errors', context => {
  assert.throws(() => build(context, 'RUN exit 3'), /RUN exit 3 ended with 3/)
  assert.throws(() => build(context, 'COPY none.txt ./'), /COPY none\.txt \.\/: a file is missing/)
  assert.throws(() => build(context, 'COPY secret.key ./'), /COPY secret\.key \.\/: a file is missing/)
  assert.throws(() => build(context, 'USER 1'), /USER, which cannot be carried out/)
})
