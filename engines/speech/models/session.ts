/** Opens neural networks with onnxruntime. */
import { sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { InferenceSession } from 'onnxruntime-node'

/** Opens a network from a file path or from bytes, with `threads` threads. */
export function openSession(model: string | Uint8Array, threads: number): Promise<InferenceSession> {
  const options = sessionOptions(threads)
  return typeof model === 'string' ? InferenceSession.create(model, options) : InferenceSession.create(model, options)
}
