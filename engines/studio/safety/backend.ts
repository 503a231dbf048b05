import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'

let started: Promise<void> | undefined

/** Starts the WebAssembly backend of TensorFlow.js that the networks run on, once; prints nothing. Throws when it cannot start. */
export function startBackend(): Promise<void> {
  started ??= start()
  return started
}

async function start(): Promise<void> {
  setWasmPaths(`${dirname(fileURLToPath(import.meta.resolve('@tensorflow/tfjs-backend-wasm')))}/`)
  // The emscripten loader adds process-wide handlers that turn any stray rejection into a crash: that is the host's decision, not its.
  const events = ['uncaughtException', 'unhandledRejection']
  const before = events.map(event => process.listeners(event))
  const isStarted = await tf.setBackend('wasm')
  for (const [index, event] of events.entries()) {
    for (const listener of process.listeners(event)) if (!before[index]?.includes(listener)) process.removeListener(event, listener)
  }
  if (!isStarted) throw new Error('The WebAssembly backend of TensorFlow.js did not start.')
}
