/** Opens networks of onnxruntime. */
import { sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { InferenceSession } from 'onnxruntime-node'

/** Opens a network from a file or its bytes on `threads` threads. */
export function openSession(model: string | Uint8Array, threads: number): Promise<InferenceSession> {
  const options = sessionOptions(threads)
  return typeof model === 'string' ? InferenceSession.create(model, options) : InferenceSession.create(model, options)
}
