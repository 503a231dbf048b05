/** Session options of onnxruntime for processes that share few cores with other work, and functions
 *  that read the results of a run. The functions work on plain objects, so that this package does
 *  not depend on onnxruntime. */

/** Returns session options for `threads` threads. The threads do not spin (poll in a loop) while
 *  they wait, because other work needs the cores. */
export function sessionOptions(threads: number) {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // The memory arena is off: inputs differ in length, and an arena would keep as much memory as
    // the longest input needed.
    enableCpuMemArena: false,
    enableMemPattern: false,
    extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
  } as const
}

/** Results of a run by name. */
export type NetworkOutputs = Readonly<Record<string, object | undefined>>

/** Returns the integers of an output (int64). Throws when the network has no output of this name
 *  and type. */
export function integersOf(outputs: NetworkOutputs, name: string): number[] {
  const output = outputs[name]
  const data = output && 'data' in output ? output.data : undefined
  if (!(data instanceof BigInt64Array)) throw new TypeError(`the network has no output ${name} of whole numbers`)
  return Array.from(data, Number)
}

/** Returns the numbers of an output (float32). Throws when the network has no output of this name
 *  and type. */
export function floatsOf(outputs: NetworkOutputs, name: string): Float32Array {
  const output = outputs[name]
  const data = output && 'data' in output ? output.data : undefined
  if (!(data instanceof Float32Array)) throw new TypeError(`the network has no output ${name}`)
  return data
}
