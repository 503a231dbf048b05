import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { silentLog } from '../testing/stores/store.ts'
import { watchBlobs } from './blob-watch.ts'

test('only one check runs at a time; while it hangs, the blob store counts as unusable', async () => {
  let isHanging = false
  let begun = 0
  let answer = (_: undefined) => {}
  const blobs = {
    place: 'folder of blobs /srv/blobs',
    problem: () => {
      begun += 1
      return isHanging ? new Promise<undefined>(resolve => (answer = resolve)) : Promise.resolve(undefined)
    },
  }
  const watch = await watchBlobs({ blobs, log: silentLog }, 1)
  assert.equal(watch.problem(), undefined)
  isHanging = true
  await until(() => watch.problem() !== undefined, 'a check that hangs')
  const hanging = begun
  assert.equal(watch.problem(), 'The folder of blobs /srv/blobs does not answer.')
  for (let turns = 0; turns < 5; turns++) await new Promise(resolve => setTimeout(resolve, 1))
  assert.equal(begun, hanging)
  isHanging = false
  answer(undefined)
  await until(() => watch.problem() === undefined, 'the blobs are back')
  watch.close()
})
