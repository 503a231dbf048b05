/** Converts the MobileNetV2 weights bundled in the npm package nsfwjs 4.3.0 into the one binary file `network.ts` reads.
 *
 *  Usage: `npm pack nsfwjs@4.3.0 && tar xzf nsfwjs-4.3.0.tgz && node build-model.ts package`
 *
 *  The package keeps weights as base64 inside JavaScript bundles, which takes seconds to load through its own entry and asks for all of
 *  TensorFlow.js. The numbers themselves are untouched: the same 8-bit values, minima and scales, only laid out one after another. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { modelFile } from './format.ts'

const weightSpec = Type.Object({
  name: Type.String(),
  shape: Type.Array(Type.Integer()),
  quantization: Type.Object({ min: Type.Number(), scale: Type.Number(), dtype: Type.Literal('uint8') }),
})
const modelBundle = Type.Object({ weightsManifest: Type.Tuple([Type.Object({ weights: Type.Array(weightSpec) })]) })

const packageFolder = process.argv[2]
if (packageFolder === undefined) throw new Error('Usage: node build-model.ts <folder of the unpacked nsfwjs package>')
const modelFolder = join(packageFolder, 'dist/models/mobilenet_v2')
const specs = Value.Parse(modelBundle, readBundle(join(modelFolder, 'model.min.js'))).weightsManifest[0].weights
const values = Buffer.from(Value.Parse(Type.String(), readBundle(join(modelFolder, 'group1-shard1of1.min.js'))), 'base64')
const output = join(import.meta.dirname, 'nsfw-mobilenet-v2.bin')
const bytes = modelFile({ magic: 'NSFWMBV2', source: 'nsfwjs@4.3.0 dist/models/mobilenet_v2, MIT', specs }, values)
writeFileSync(output, bytes)
process.stdout.write(`${output}: ${bytes.length} bytes, ${specs.length} tensors\n`)

/** Runs a CommonJS bundle without any access to the machine and returns what it exports. */
function readBundle(path: string): unknown {
  const sandbox = { module: { exports: undefined as unknown }, exports: {} }
  runInNewContext(readFileSync(path, 'utf8'), sandbox)
  return sandbox.module.exports
}
