import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readError, type SentError, sendError } from './sent-errors.ts'

const overChannel = (sent: SentError): SentError => structuredClone(sent)

/** Returns two empty lists, for the errors that each side of a connection sends. */
const connection = () => ({ gateways: [] as unknown[], processes: [] as unknown[] })

test('an error that is returned is the same object, also as the cause of another one', () => {
  const { gateways, processes } = connection()
  const error = new Error('of the gateway')
  const arrived = readError(overChannel(sendError(error, gateways)), processes)
  assert.equal(readError(overChannel(sendError(arrived, processes)), gateways), error)
  const wrapped = readError(overChannel(sendError(new Error('of the package', { cause: arrived }), processes)), gateways)
  assert.ok(wrapped instanceof Error)
  assert.equal(wrapped.cause, error)
})

test('an error that a package keeps and throws over another connection is not assigned to that connection', () => {
  const [first, second] = [connection(), connection()]
  const kept = readError(overChannel(sendError(new Error('of the first'), first.gateways)), first.processes)
  sendError(new Error('of the second'), second.gateways)
  const arrived = readError(overChannel(sendError(kept, second.processes)), second.gateways)
  assert.ok(arrived instanceof Error)
  assert.equal(arrived.message, 'of the first')
})

test('an error with an unreadable member is sent without its members', () => {
  const unreadable = { get: () => assert.fail('read') }
  for (const name of ['name', 'message', 'cause', 'responseBody']) {
    const arrived = readError(overChannel(sendError(Object.defineProperty(new Error('x'), name, unreadable), [])), [])
    assert.ok(arrived instanceof Error)
    assert.equal(arrived.message, '')
  }
})
