/** Converts the tiny face detector of the npm package @vladmandic/face-api 1.7.15 to the network
 *  file that `network.ts` opens. The weights are not changed.
 *
 *  Usage:
 *  `npm pack @vladmandic/face-api@1.7.15 && tar xzf vladmandic-face-api-1.7.15.tgz && node build-model.ts package` */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { OnnxFile } from '../../networks/onnx-file.ts'
import { channelsFirst, PackedWeights, packedTensor, unpacked } from '../../networks/packed-weights.ts'

const manifest = Type.Tuple([Type.Object({ weights: Type.Array(packedTensor) })])
/** Names of the convolution layers. After each of them except the last two, the picture is
 *  halved. */
const layers = [0, 1, 2, 3, 4, 5, 8].map(number => `conv${number}`)

const packageFolder = process.argv[2]
if (packageFolder === undefined) throw new Error('Usage: node build-model.ts <folder of the unpacked face-api package>')
const path = join(packageFolder, 'model/tiny_face_detector_model')
const [{ weights: tensors }] = Value.Parse(manifest, JSON.parse(readFileSync(`${path}-weights_manifest.json`, 'utf8')))
const weights = new PackedWeights(tensors, readFileSync(`${path}.bin`))
const file = new OnnxFile()
const output = join(import.meta.dirname, 'tiny-face-detector.onnx')
const bytes = network()
writeFileSync(output, bytes)
process.stdout.write(`${output}: ${bytes.length} bytes, ${tensors.length} tensors\n`)

/** Returns the network as the bytes of an ONNX file. Input `picture`: 1 x 3 x side x side. Output
 *  `places`: 1 x rows x columns x 25, with five values for each of five anchor boxes. */
function network(): Uint8Array {
  const features = layers.reduce(layer, 'picture')
  file.node('places', 'Transpose', [features], { perm: { ints: [0, 2, 3, 1] } })
  return file.bytes({ name: 'picture', dims: [1, 3, 'height', 'width'] }, { name: 'places', dims: [1, 'rows', 'columns', 25] })
}

function layer(input: string, name: string, index: number): string {
  const last = layers.length - 1
  const pad = index === 0 || index === last ? 'VALID' : 'SAME_UPPER'
  const bias = unpacked(file, `${name}_bias`, weights.of(`${name}/bias`))
  const output = weights.has(`${name}/filters`)
    ? convolve(name, input, `${name}/filters`, { pad, bias })
    : convolve(name, convolve(`${name}_depthwise`, input, `${name}/depthwise_filter`, { pad }), `${name}/pointwise_filter`, { pad, bias })
  if (index === last) return output
  const cut = file.node(`${name}_cut`, 'LeakyRelu', [output], { alpha: { float: 0.1 } })
  const step = index === last - 1 ? 1 : 2
  return file.node(`${name}_pooled`, 'MaxPool', [cut], {
    kernel_shape: { ints: [2, 2] },
    strides: { ints: [step, step] },
    auto_pad: { text: 'SAME_UPPER' },
  })
}

/** Adds a convolution layer; without a bias, it is a depthwise convolution, which filters each
 *  channel separately. */
function convolve(name: string, input: string, filter: string, { pad, bias }: { pad: string; bias?: string }): string {
  const kernel = channelsFirst(weights.of(filter), bias === undefined)
  const [outputs = 0, , height = 0, width = 0] = kernel.shape
  return file.node(name, 'Conv', [input, unpacked(file, `${name}_kernel`, kernel), ...(bias === undefined ? [] : [bias])], {
    auto_pad: { text: pad },
    kernel_shape: { ints: [height, width] },
    group: { int: bias === undefined ? outputs : 1 },
  })
}
