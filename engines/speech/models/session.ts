/** Networks of onnxruntime, opened once and kept. */
import { InferenceSession } from 'onnxruntime-node'

/** Opens a network from a file or its bytes on `threads` threads, which do not spin while they wait: others need the cores. */
export function openSession(model: string | Uint8Array, threads: number): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // Chunks differ in length: an arena would keep the most that each of them ever needed.
    enableCpuMemArena: false,
    enableMemPattern: false,
    extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
  }
  return typeof model === 'string' ? InferenceSession.create(model, options) : InferenceSession.create(model, options)
}

/** The numbers of an output. Throws when the network has none of this name. */
export function floatsOf(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = outputs[name] && 'data' in outputs[name] ? outputs[name].data : undefined
  if (!(data instanceof Float32Array)) throw new TypeError(`the network has no output ${name}`)
  return data
}
