/** Converts the MobileNetV2 weights bundled in the npm package nsfwjs 4.3.0 into the ONNX file that
 *  `network.ts` opens.
 *
 *  Usage: `npm pack nsfwjs@4.3.0 && tar xzf nsfwjs-4.3.0.tgz && node build-model.ts package`
 *
 *  The package keeps its weights as base64 text inside JavaScript bundles. Loading them the
 *  package's own way takes seconds and needs all of TensorFlow.js. The conversion leaves the
 *  numbers unchanged: they stay 8-bit values, and the network's first nodes scale and shift them as
 *  the package does. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { OnnxFile } from '../../networks/onnx-file.ts'
import { channelsFirst, PackedWeights, packedTensor, unpacked } from '../../networks/packed-weights.ts'

const modelBundle = Type.Object({ weightsManifest: Type.Tuple([Type.Object({ weights: Type.Array(packedTensor) })]) })

// The blocks of MobileNetV2 (Sandler et al. 2018, table 2) at width 1: seventeen inverted residual
// blocks, of which four halve the picture.
const lastBlock = 16
const halvingBlocks = new Set([1, 3, 6, 13])
// The epsilon of batch normalisation layers in Keras; the model's file states the same value.
const epsilon = 0.001
const side = 224
const classes = 5

const packageFolder = process.argv[2]
if (packageFolder === undefined) throw new Error('Usage: node build-model.ts <folder of the unpacked nsfwjs package>')
const modelFolder = join(packageFolder, 'dist/models/mobilenet_v2')
const specs = Value.Parse(modelBundle, readBundle(join(modelFolder, 'model.min.js'))).weightsManifest[0].weights
const bundled = Buffer.from(Value.Parse(Type.String(), readBundle(join(modelFolder, 'group1-shard1of1.min.js'))), 'base64')
const weights = new PackedWeights(specs, bundled)
const file = new OnnxFile()
const output = join(import.meta.dirname, 'nsfw-mobilenet-v2.onnx')
const bytes = network()
writeFileSync(output, bytes)
process.stdout.write(`${output}: ${bytes.length} bytes, ${specs.length} tensors\n`)

/** Returns the bytes of the ONNX file. Its input `picture` is 1 x 3 x 224 x 224 values of 0 to 1;
 *  its output `scores` is 1 x 5 probabilities. */
function network(): Uint8Array {
  file.constant('zero', [], Float32Array.of(0))
  file.constant('six', [], Float32Array.of(6))
  let features = convolve('picture', 'Conv1', 'bn_Conv1', { stride: 2, isCut: true })
  for (let block = 0; block <= lastBlock; block++) features = invertedResidual(features, block)
  features = convolve(features, 'Conv_1', 'Conv_1_bn', { isCut: true })
  const pooled = file.node('pooled', 'Flatten', [file.node('mean', 'GlobalAveragePool', [features])])
  const hidden = ['dense_1', 'dense_2'].reduce((values, name) => file.node(`${name}_cut`, 'Relu', [dense(values, name)]), pooled)
  file.node('scores', 'Softmax', [dense(hidden, 'dense_3')])
  return file.bytes({ name: 'picture', dims: [1, 3, side, side] }, { name: 'scores', dims: [1, classes] })
}

/** Adds an inverted residual block. It expands the number of channels, filters each channel
 *  separately, and reduces their number again. Where the output has the same size and number of
 *  channels as the input, the input is added to it. The first block does not expand the
 *  channels, and its input is not added. */
function invertedResidual(input: string, block: number): string {
  const name = block === 0 ? 'expanded_conv' : `block_${block}`
  const stride = halvingBlocks.has(block) ? 2 : 1
  const expanded = block === 0 ? input : convolve(input, `${name}_expand`, `${name}_expand_BN`, { isCut: true })
  const filtered = convolve(expanded, `${name}_depthwise`, `${name}_depthwise_BN`, { stride, isCut: true, isDepthwise: true })
  const projected = convolve(filtered, `${name}_project`, `${name}_project_BN`, {})
  const isKept = stride === 1 && block > 0 && channels(`block_${block - 1}`, block - 1) === channels(name, block)
  return isKept ? file.node(`${name}_sum`, 'Add', [input, projected]) : projected
}

function channels(name: string, block: number): number {
  return weights.of(`${block === 0 ? 'expanded_conv' : name}_project/kernel`).shape[3] ?? 0
}

function convolve(
  input: string,
  layer: string,
  normalisation: string,
  { stride = 1, isCut = false, isDepthwise = false }: { stride?: 1 | 2; isCut?: boolean; isDepthwise?: boolean },
): string {
  const kernel = channelsFirst(weights.of(`${layer}/${isDepthwise ? 'depthwise_kernel' : 'kernel'}`), isDepthwise)
  const [outputs = 0, , height = 0, width = 0] = kernel.shape
  const folded = file.node(layer, 'Conv', [input, unpacked(file, `${layer}_kernel`, kernel)], {
    auto_pad: { text: 'SAME_UPPER' },
    strides: { ints: [stride, stride] },
    kernel_shape: { ints: [height, width] },
    group: { int: isDepthwise ? outputs : 1 },
  })
  const statistics = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(part =>
    unpacked(file, `${normalisation}_${part}`, weights.of(`${normalisation}/${part}`)),
  )
  const normalised = file.node(normalisation, 'BatchNormalization', [folded, ...statistics], { epsilon: { float: epsilon } })
  return isCut ? file.node(`${normalisation}_cut`, 'Clip', [normalised, 'zero', 'six']) : normalised
}

function dense(input: string, layer: string): string {
  const parts = ['kernel', 'bias'].map(part => unpacked(file, `${layer}_${part}`, weights.of(`${layer}/${part}`)))
  return file.node(layer, 'Gemm', [input, ...parts])
}

/** Returns the exports of a CommonJS bundle, run in a sandbox without access to files or the
 *  network. */
function readBundle(path: string): unknown {
  const sandbox = { module: { exports: undefined as unknown }, exports: {} }
  runInNewContext(readFileSync(path, 'utf8'), sandbox)
  return sandbox.module.exports
}
