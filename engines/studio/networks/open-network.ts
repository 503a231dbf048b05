/** Networks from files of this folder's writer, for one thread. */
import { floatsOf, sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'

interface OpenNetwork {
  /** Returns the numbers of output `output` for `values` of shape `dims`. */
  run(values: Float32Array, dims: readonly number[]): Promise<Float32Array>
  /** Frees the weights; the network cannot be used afterwards. */
  close(): Promise<void>
}

/** Opens a network with the one input and output that are named. */
export async function openNetworkFile(path: string, { input, output }: { input: string; output: string }): Promise<OpenNetwork> {
  const session = await InferenceSession.create(path, sessionOptions(1))
  return {
    async run(values, dims) {
      return floatsOf(await session.run({ [input]: new Tensor('float32', values, dims) }), output)
    },
    close: () => session.release(),
  }
}
