import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { runReadme } from '@generation-gateway/kit/testing/readme.ts'
import { slidesPacks } from './packs.ts'

const [dictionary] = slidesPacks

test('the example program of the README writes and designs a deck without the gateway', dictionary ? needPack(dictionary) : {}, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'slides-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const said = await runReadme(dirname(fileURLToPath(import.meta.url)), folder)
  assert.match(said, /took the facts on "red panda" from WordNet/)
  const [, slides] = /slides: (\d+)/.exec(said) ?? []
  assert.equal(slides, '6')
  const paths = [...said.matchAll(/'(deck|document) ([^']+)'/g)]
  assert.deepEqual(
    paths.map(([, role]) => role),
    ['deck', 'document'],
  )
  const [deck, document] = await Promise.all(paths.map(([, , path]) => readFile(path ?? '')))
  assert.equal(deck?.subarray(0, 2).toString(), 'PK')
  assert.equal(document?.subarray(0, 5).toString(), '%PDF-')
})
