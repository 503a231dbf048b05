import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseFault, linkIn, refusedStart, taskIdIn, taskStateIn } from './answers.ts'

const fault = (status_code: number) => ({ base_resp: { status_code, status_msg: 'so it is' } })

test('each error code in the answer to a submit has its meaning: faults of the request end the task, others are thrown', () => {
  assert.equal(baseFault({ task_id: 't', base_resp: { status_code: 0, status_msg: 'success' } }, []), undefined)
  assert.deepEqual(baseFault(fault(2013), ['so it']), { code: 2013, says: '*** is' })
  for (const [code, ours] of [
    [1026, 'request_moderated'],
    [1027, 'content_moderated'],
    [1042, 'invalid_request'],
    [2013, 'invalid_request'],
    [4711, 'upstream_error'],
  ] as const)
    assert.equal(refusedStart({ code, says: 'x' }).code, ours)
  for (const [code, ours] of [
    [1000, 'outcome_unknown'],
    [1001, 'outcome_unknown'],
    [1002, 'rate_limited'],
    [1004, 'upstream_auth_error'],
    [1008, 'upstream_quota_exhausted'],
    [1024, 'outcome_unknown'],
    [1033, 'outcome_unknown'],
    [1039, 'rate_limited'],
    [1041, 'rate_limited'],
    [2045, 'rate_limited'],
    [2049, 'upstream_auth_error'],
    [2056, 'upstream_quota_exhausted'],
  ] as const)
    assert.throws(() => refusedStart({ code, says: 'x' }), { code: ours })
})

test('states are read in either case, and a success has a file', () => {
  const state = (status: string, rest = {}) => taskStateIn({ status, ...rest }, [])
  for (const status of ['Preparing', 'Queueing', 'processing']) assert.deepEqual(state(status), { state: 'running' })
  assert.deepEqual(state('success', { file_id: '9007199254740993' }), { state: 'ready', output: '9007199254740993' })
  assert.deepEqual(state('Success', { file_id: 17 }), { state: 'ready', output: '17' })
  assert.throws(() => state('Success', { file_id: '' }), { code: 'upstream_error' })
  assert.throws(() => state('Dancing'), { code: 'upstream_error' })
  assert.throws(() => taskStateIn(fault(1002), []), { code: 'rate_limited' })
  assert.throws(() => taskStateIn(fault(1001), []), { code: 'upstream_timeout' })
  assert.deepEqual(state('failed', fault(1000)), {
    state: 'failed',
    code: 'upstream_error',
    message: 'MiniMax failed on the video: so it is.',
  })
  assert.throws(() => linkIn({ file: {} }, []), { code: 'upstream_error' })
  assert.deepEqual(
    [taskIdIn({ task_id: 12 }), taskIdIn({ task_id: '' }), taskIdIn({ task_id: 'x'.repeat(201) })],
    ['12', undefined, undefined],
  )
})
