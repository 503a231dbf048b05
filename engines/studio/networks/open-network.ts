/** Networks from files of this folder's writer, for one thread. */
import { InferenceSession, Tensor } from 'onnxruntime-node'

export interface OpenNetwork {
  /** The numbers of output `output` for `values` of shape `dims`. */
  run(values: Float32Array, dims: readonly number[]): Promise<Float32Array>
  /** Frees the weights; the network cannot be used afterwards. */
  close(): Promise<void>
}

/** Opens a network with the one input and output that are named. */
export async function openNetworkFile(path: string, { input, output }: { input: string; output: string }): Promise<OpenNetwork> {
  const session = await InferenceSession.create(path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // The memory of a run is given back: minutes may pass until the next.
    enableCpuMemArena: false,
  })
  return {
    async run(values, dims) {
      const { [output]: result } = await session.run({ [input]: new Tensor('float32', values, dims) })
      if (!(result?.data instanceof Float32Array)) throw new TypeError(`The network ${path} gave no ${output}.`)
      return result.data
    },
    close: () => session.release(),
  }
}
