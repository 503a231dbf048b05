import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Answer, Call, OperationName, Operations } from './operations.ts'

/** A write that waits for its transaction. */
export interface PendingCall {
  call: Call
  resolve: (value: Operations[OperationName]['output']) => void
  reject: (error: GatewayError) => void
}

/** Returns a waiting write, and the promise of its output. */
export function pendingCall<Name extends OperationName>(
  name: Name,
  input: Operations[Name]['input'],
): { pending: PendingCall; output: Promise<Operations[Name]['output']> } {
  const { promise, resolve, reject } = Promise.withResolvers<Operations[Name]['output']>()
  // The casts are needed because the compiler cannot follow the types through a queue. They are
  // safe, because the writer answers each call with the output of that call.
  const pending = { call: { name, input } as Call, resolve: resolve as PendingCall['resolve'], reject }
  return { pending, output: promise }
}

/** Resolves or rejects each write with its answer. Writes and answers are in the same order. */
export function settleCalls(pending: readonly PendingCall[], answers: readonly Answer[]): void {
  answers.forEach((answer, index) => {
    if ('value' in answer) pending[index]?.resolve(answer.value)
    else pending[index]?.reject(new GatewayError('internal_error', 'The store refused the write.', { cause: answer.error }))
  })
}

/** Returns the error of writes to a store that was closed. */
export function closedStore(): GatewayError {
  return new GatewayError('store_unavailable', 'The store is closed.')
}
