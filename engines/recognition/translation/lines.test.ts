import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translateLines } from './lines.ts'
import { PipelineError } from './pipeline.ts'

const direction = { from: 'es', to: 'fr', mode: 'es-fr' }
const shout = async (stream: string): Promise<string> => stream.toUpperCase()

test('texts of several lines keep their line breaks, and empty lines and texts stay empty', async () => {
  assert.deepEqual(await translateLines(['uno\ndos\r\n\n tres', '', '\n'], direction, shout), ['UNO\nDOS\r\n\n TRES', '', '\n'])
})

test('a text of a megabyte is translated in parts, and no word is lost', async () => {
  const text = 'palabra otra. '.repeat(75_000)
  let longest = 0
  const [out = ''] = await translateLines([text], direction, stream => {
    longest = Math.max(longest, stream.length)
    return shout(stream)
  })
  assert.ok(out === text.toUpperCase(), `${out.length} characters, which differ`)
  assert.ok(longest < 60_000, `a part had ${longest} characters`)
})

test('a word that is too long is cut', async () => {
  const [out] = await translateLines(['a'.repeat(100_000)], direction, shout)
  assert.ok(out === 'A'.repeat(100_000))
})

test('a line that crashes a program is tried alone before the call fails', async () => {
  const tried: number[] = []
  const run = (stream: string): Promise<string> => {
    tried.push(stream.split('\n').length - 1)
    if (stream.includes('mala')) return Promise.reject(new PipelineError('segmentation fault'))
    return shout(stream)
  }
  await assert.rejects(translateLines(['uno', 'dos', 'mala', 'tres'], direction, run), PipelineError)
  assert.equal(tried.at(-1), 1)
})

test('an answer with too few lines is refused', async () => {
  const answers = ['UNO.[][\n]']
  const run = (stream: string): Promise<string> => Promise.resolve(answers.pop() ?? stream.toUpperCase())
  assert.deepEqual(await translateLines(['uno', 'dos'], direction, run), ['UNO', 'DOS'])
})
