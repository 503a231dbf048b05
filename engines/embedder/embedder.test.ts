/** Tests the engine with its model. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import { decodedVector, type EmbedEvent, type EmbedRequest } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import type { RerankEvent, RerankRequest } from '@generation-gateway/kit/requests/retrieval/rerank.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import engine from './driver.ts'
import { embedderPacks } from './packs.ts'

const needs = embedderPacks.map(needPack).find(({ skip }) => skip) ?? {}
const folder = await mkdtemp(join(tmpdir(), 'embedder-'))
const opened = openEngine(engine, { folder })
after(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

async function embed(request: EmbedRequest): Promise<{ vectors: Float32Array[]; tokens: number }> {
  const vectors: Float32Array[] = []
  // The cast is safe: events of this capability have this type.
  const onEvent = (event: unknown) => void vectors.push(...(event as EmbedEvent).vectors.map(decodedVector))
  const { report } = await opened.run('text.embed', request, { onEvent })
  return { vectors, tokens: Object(report.usage).inputTokens }
}

async function rerank(request: RerankRequest): Promise<{ scores: RerankEvent['scores']; cut: unknown }> {
  const scores: RerankEvent['scores'] = []
  // The cast is safe: events of this capability have this type.
  const onEvent = (event: unknown) => void scores.push(...(event as RerankEvent).scores)
  const { report } = await opened.run('text.rerank', request, { onEvent })
  return { scores, cut: report.cutDocuments }
}

function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  return (one ?? new Float32Array()).reduce((sum, value, place) => sum + value * (other?.[place] ?? 0), 0)
}

/** Vectors of Python's onnxruntime and tokenizers with the same files: for each text, the first 8
 *  numbers. */
interface Reference {
  text: string
  beginning: number[]
}

test('vectors equal those of the reference runtime, for one text and for a batch', needs, async () => {
  const references: Reference[] = JSON.parse(await readFile(join(import.meta.dirname, 'testing/reference-vectors.json'), 'utf8'))
  assert.ok(references.length >= 20)
  const { vectors } = await embed({ inputs: references.map(({ text }) => text) })
  for (const [index, { text, beginning }] of references.entries()) {
    const [alone] = (await embed({ inputs: [text] })).vectors
    for (const vector of [vectors[index], alone]) {
      assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5)
      for (const [place, number] of beginning.entries()) {
        const difference = Math.abs((vector?.[place] ?? 0) - number)
        assert.ok(difference < 1e-4, `${text.slice(0, 40)}: number ${place} differs by ${difference}`)
      }
    }
  }
})

test('sentences with the same meaning are closer to each other than to others', needs, async () => {
  const { vectors } = await embed({
    inputs: ['The tide comes in at noon.', 'High water is at twelve.', 'Boats are painted in spring.'],
  })
  const [tide, water, boats] = vectors
  assert.ok(cosine(tide, water) > cosine(tide, boats) + 0.1)
})

test('tokens of the model have the same vector as their text', needs, async () => {
  const { vectors } = await embed({ inputs: ['hello world'] })
  const fromTokens = await embed({ inputs: [[7592, 2088]] })
  assert.ok(cosine(vectors[0], fromTokens.vectors[0]) > 0.99999)
  assert.equal(fromTokens.tokens, 4)
})

test('an input that is too long is refused with its index and length, or cut on request', needs, async () => {
  const long = 'word '.repeat(600)
  await assert.rejects(embed({ inputs: ['short', long] }), {
    code: 'invalid_request',
    field: 'inputs',
    message: 'inputs: number 1 (from 0) has 602 tokens; the model takes at most 512.',
  })
  const { vectors, tokens } = await embed({ inputs: [long], cutsInputs: true })
  const cut = await embed({ inputs: ['word '.repeat(510)] })
  assert.ok(cosine(vectors[0], cut.vectors[0]) > 0.99999)
  assert.equal(tokens, 512)
})

test('vectors of another length are refused', needs, async () => {
  await assert.rejects(embed({ inputs: ['a'], dimensions: 256 }), { code: 'invalid_request', field: 'dimensions' })
  assert.equal((await embed({ inputs: ['a'], dimensions: 384 })).vectors[0]?.length, 384)
})

test('tokens outside the vocabulary are refused', needs, async () => {
  await assert.rejects(embed({ inputs: [[7592, 100_257]] }), {
    code: 'invalid_request',
    message: 'inputs: has the token 100257; the vocabulary of the model has ids from 0 to 30521.',
  })
})

test('documents are ranked, only the best ones are returned, and cut ones are counted', needs, async () => {
  const documents = ['Boats are painted in spring.', 'The tide comes in at noon.', `The harbour. ${'pier '.repeat(600)}`]
  const { scores, cut } = await rerank({ query: 'When is high water?', documents, topN: 2 })
  assert.equal(scores[0]?.index, 1)
  assert.equal(scores.length, 2)
  assert.equal(cut, 1)
  const none = await rerank({ query: 'When is high water?', documents: documents.slice(0, 2) })
  assert.equal(none.cut, undefined)
  const short = await rerank({ query: 'When is high water?', documents: documents.slice(0, 2), maxDocumentTokens: 2 })
  assert.equal(short.cut, 2)
})

test('a query that is too long is refused', needs, async () => {
  await assert.rejects(rerank({ query: 'word '.repeat(600), documents: ['a'] }), { code: 'invalid_request', field: 'query' })
})

test('a short request of another account does not wait for the end of a long one', needs, async () => {
  const long = Array.from({ length: 400 }, (_, index) => `${index} ${'harbour water boats '.repeat(30)}`)
  let isOver = false
  const leaving = new AbortController()
  const running = opened.run('text.embed', { inputs: long }, { account: 'a', signal: leaving.signal }).then(
    () => (isOver = true),
    () => undefined,
  )
  await opened.run('text.embed', { inputs: ['short'] }, { account: 'b' })
  assert.equal(isOver, false)
  leaving.abort(new Error('seen enough'))
  await running
})
