import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { untilWritable } from './until-writable.ts'

test('a reader that is slow repeatedly leaves no listeners behind', async () => {
  const response = new EventEmitter()
  for (const event of ['drain', 'drain', 'close']) {
    const waiting = untilWritable(response)
    response.emit(event)
    await waiting
    assert.deepEqual(response.eventNames(), [])
  }
})
