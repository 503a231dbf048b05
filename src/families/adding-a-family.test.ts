/** Tests the instructions in docs/adding-a-family.md. Adds the files that the page shows to a copy
 *  of the program, runs their tests there, and draws a poster with the new family. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { type FollowedPage, followPage } from '../testing/followed-page.ts'
import { testKey } from '../testing/gateway.ts'

const folder = 'src/families/posters'

/** A copy of the program that contains the family from the page. */
let page: FollowedPage
before(async () => {
  page = await followPage('adding-a-family')
  await page.node('scripts/build-docs.ts')
})
after(() => page[Symbol.asyncDispose]())

test("the guide changes only the family's folder, the list of families and the generated reference", async () => {
  const { 'docs/reference/families.md': reference, 'README.md': readme, ...others } = await page.changes()
  assert.deepEqual(others, {
    'src/families/index.ts': [2, 0],
    [`${folder}/family.ts`]: undefined,
    [`${folder}/handlers.ts`]: undefined,
    [`${folder}/posters.test.ts`]: undefined,
  })
  assert.deepEqual([reference?.[1], readme], [0, [1, 1]])
  assert.match(await readFile(join(page.folder, 'docs/reference/families.md'), 'utf8'), /^### `POST \/v1\/ai\/\{endpoint\}\/posters`$/m)
})

test('the example family passes the checks of types, formatting and imports', async () => {
  // Only the handlers are type-checked. The family's test imports the whole program, which takes
  // the compiler five times as long, so the test is run instead.
  await page.assertTypes(`${folder}/handlers.ts`)
  await page.node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', folder, 'src/families/index.ts')
  await page.node('scripts/checks/imports.ts')
})

test('the tests of the example family pass, and the generated tests for all families pass for it', async () => {
  const ofAll = ['samples/samples', 'description/openapi', 'description/openapi-examples', 'description/openapi-failures'].map(
    name => `src/contract/${name}.test.ts`,
  )
  const said = await page.assertTests([`${folder}/posters.test.ts`, ...ofAll], /poster|document is|every schema|every answer|every error/i)
  for (const title of ['what the target of a poster', 'posters.submit: every limit', 'drawPoster: Two drafts', 'getPoster can fail with'])
    assert.match(said, new RegExp(`^ok [0-9]+ - ${title}`, 'm'))
})

test('the gateway with the example family draws a poster without any configuration', async () => {
  const program = await page.start({ GATEWAY_ENGINE_WORKERS: '1' })
  try {
    const call = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
      const answer = await fetch(
        program.url + path,
        body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
      )
      return { status: answer.status, body: Object(await answer.json()) }
    }
    const { paths } = (await call('/openapi.json')).body
    assert.equal(paths['/v1/ai/{endpoint}/posters'].post.operationId, 'drawPoster')
    assert.equal(paths['/v1/ai/{endpoint}/posters/{poster_id}'].get.operationId, 'getPoster')
    assert.equal(paths['/v1/ai/{endpoint}/posters/{poster_id}'].delete.operationId, 'cancelPoster')
    const refused = await call('/v1/ai/default/posters', { text: 'a boat', copies: 5 })
    assert.deepEqual([refused.status, refused.body.error.message], [400, 'copies is 5; at most 4.'])
    const { body } = await call('/v1/ai/default/posters', { text: 'a lighthouse at dusk', copies: 2 })
    const poster = await until(async () => {
      const { body: seen } = await call(`/v1/ai/default/posters/${body.poster_id}`)
      return ['waiting', 'drawing'].includes(seen.state) ? undefined : seen
    }, 'the end of the poster')
    assert.deepEqual([poster.state, poster.links.length], ['ready', 2], JSON.stringify(poster))
    for (const link of poster.links) {
      const { width, height, format } = await sharp(await (await fetch(link)).arrayBuffer()).metadata()
      assert.deepEqual({ width, height, format }, { width: 512, height: 768, format: 'png' })
    }
  } finally {
    await program.stop()
  }
})
