/** Puts the weights of the tiny face detector in the npm package @vladmandic/face-api 1.7.15 into the one file that `network.ts` reads; the numbers are untouched.
 *
 *  Usage: `npm pack @vladmandic/face-api@1.7.15 && tar xzf vladmandic-face-api-1.7.15.tgz && node build-model.ts package` */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { modelFile } from '../../safety/model/format.ts'

const manifest = Type.Tuple([
  Type.Object({
    weights: Type.Array(
      Type.Object({
        name: Type.String(),
        shape: Type.Array(Type.Integer()),
        quantization: Type.Object({ min: Type.Number(), scale: Type.Number(), dtype: Type.Literal('uint8') }),
      }),
    ),
  }),
])

const packageFolder = process.argv[2]
if (packageFolder === undefined) throw new Error('Usage: node build-model.ts <folder of the unpacked face-api package>')
const path = join(packageFolder, 'model/tiny_face_detector_model')
const [{ weights }] = Value.Parse(manifest, JSON.parse(readFileSync(`${path}-weights_manifest.json`, 'utf8')))
const source = '@vladmandic/face-api@1.7.15 model/tiny_face_detector_model, MIT'
const output = join(import.meta.dirname, 'tiny-face-detector.bin')
const bytes = modelFile({ magic: 'TINYFACE', source, specs: weights }, readFileSync(`${path}.bin`))
writeFileSync(output, bytes)
process.stdout.write(`${output}: ${bytes.length} bytes, ${weights.length} tensors\n`)
