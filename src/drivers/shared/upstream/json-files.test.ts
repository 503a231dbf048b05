import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { exactNumber } from '@generation-gateway/kit/json.ts'
import { FilesInJson } from './json-files.ts'

test('files are written into JSON as base64 or data URLs, and long numbers keep all digits', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'json-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const inputs = await Promise.all(
    [1, 300_001].map(async bytes => {
      const content = randomBytes(bytes)
      const path = join(folder, String(bytes))
      await writeFile(path, content)
      return { content, input: { path, role: 'image', mediaType: 'image/png', bytes } }
    }),
  )
  const [small, large] = inputs
  const files = new FilesInJson()
  const fields = {
    say: 'a "quoted" @0@ #0#',
    list: [{ one: files.base64(small!.input), id: exactNumber('829836802793406551') }, { two: files.dataUrl(large!.input) }],
    again: files.base64(small!.input),
  }
  const body = files.body(fields)
  assert.equal(body.isHandedOver(), false)
  const sent = await text(body.stream)
  assert.deepEqual([Buffer.byteLength(sent), body.isHandedOver()], [body.bytes, true])
  assert.match(sent, /"id":829836802793406551\}/)
  const { list, ...rest } = JSON.parse(sent)
  assert.deepEqual(rest, { say: fields.say, again: small?.content.toString('base64') })
  assert.deepEqual(
    [list[0].one, list[1].two],
    [small?.content.toString('base64'), `data:image/png;base64,${large?.content.toString('base64')}`],
  )
})
