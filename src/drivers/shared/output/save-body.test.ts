import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { watchDiskRoom } from '@generation-gateway/kit/disk-room.ts'
import { saveBody, TooManyBytesError } from './save-body.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-body-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('a body that is too long leaves no file', async () => {
  const tooLong = async function* () {
    yield Buffer.alloc(11)
  }
  const saving = Array.from({ length: 300 }, (_, index) => saveBody(tooLong(), join(folder, `${index}`), 10))
  for (const { status, reason } of (await Promise.allSettled(saving)).map(each => ({ reason: undefined, ...each })))
    assert.ok(status === 'rejected' && reason instanceof TooManyBytesError)
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.deepEqual(await readdir(folder), [])
})

test('an existing file stays, and the room for the new one is released', async () => {
  using room = watchDiskRoom(folder, 10, () => 100)
  const file = join(folder, 'own')
  await writeFile(file, 'own')
  const body = async function* () {
    yield Buffer.from('other')
  }
  await assert.rejects(saveBody(body(), file, 100, 80), { code: 'EEXIST' })
  assert.deepEqual(await readdir(folder), ['own'])
  assert.doesNotThrow(() => room.open(80))
})
