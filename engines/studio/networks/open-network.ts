/** Opens neural networks written by `OnnxFile`, with one thread. */
import { floatsOf, sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'

interface OpenNetwork {
  /** Returns the output for the input `values` of shape `dims`. */
  run(values: Float32Array, dims: readonly number[]): Promise<Float32Array>
  /** Frees the weights; the network cannot be used afterwards. */
  close(): Promise<void>
}

/** Opens a network; `input` and `output` are the names of its input and output. */
export async function openNetworkFile(path: string, { input, output }: { input: string; output: string }): Promise<OpenNetwork> {
  const session = await InferenceSession.create(path, sessionOptions(1))
  return {
    async run(values, dims) {
      return floatsOf(await session.run({ [input]: new Tensor('float32', values, dims) }), output)
    },
    close: () => session.release(),
  }
}
