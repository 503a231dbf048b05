/** Writes Whisper's weights in whisper.cpp's file format (ggml, ftype 1: matrices with 16 bits,
 *  everything else with 32 bits). */
import { readVariables, type Variable } from './ctranslate2.ts'
import { melFilterBank, melFilters } from './mel-filters.ts'

const magic = 0x67676d6c
/** Number of text tokens; later tokens stand for languages, tasks and times. */
const textTokens = 50_257
const audioFrames = 1500

/** A tensor with the name that OpenAI gave it. */
interface Tensor {
  name: string
  shape: readonly number[]
  halves: Buffer
  isWide: boolean
}

/** Yields the file's bytes, piece by piece. `model` is CTranslate2's `model.bin`, `vocabulary` its
 *  list of tokens, one a line. Throws `TypeError` when a part of the model is missing. */
export function* ggmlOf(model: Buffer, vocabulary: string): Generator<Buffer> {
  const variables = readVariables(model)
  const get = (name: string): Variable => {
    const found = variables.get(name)
    if (!found) throw new TypeError(`the weights have no ${name}`)
    return found
  }
  const [vocabularySize = 0, state = 0] = get('decoder/embeddings/weight').shape
  const layersOf = (part: string): number => {
    let layers = 0
    while (variables.has(`${part}/layer_${layers}/self_attention/linear_0/weight`)) layers++
    return layers
  }
  const textFrames = get('decoder/position_encodings/encodings').shape[0] ?? 0
  const mels = get('encoder/conv1/weight').shape[1] ?? 0
  // An attention head of Whisper has 64 dimensions, whatever the size of the model.
  const heads = state / 64
  const [audioLayers, textLayers] = [layersOf('encoder'), layersOf('decoder')]
  yield integers(magic, vocabularySize, audioFrames, state, heads, audioLayers, textFrames, state, heads, textLayers, mels, 1)
  yield integers(melFilters.count, melFilters.bands)
  yield Buffer.from(melFilterBank().buffer)
  yield* tokensOf(vocabulary)
  for (const tensor of tensorsOf(get, { audioLayers, textLayers, state })) yield* bytesOf(tensor)
}

function* tokensOf(vocabulary: string): Generator<Buffer> {
  yield integers(textTokens)
  for (const line of vocabulary.split('\n').slice(0, textTokens)) {
    const bytes = tokenBytes(line)
    yield integers(bytes.length)
    yield bytes
  }
}

/** Maps the characters in the vocabulary to bytes. In GPT-2's notation, a byte that is a printable
 *  Latin-1 character stands for itself; all other bytes are written as the characters from U+0100
 *  on, in order. */
const byteOf = (() => {
  const isPlain = (byte: number) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad)
  const bytes = new Map<number, number>()
  let next = 0x100
  for (let byte = 0; byte < 256; byte++) bytes.set(isPlain(byte) ? byte : next++, byte)
  return bytes
})()

function tokenBytes(token: string): Buffer {
  const bytes = Array.from(token, character => byteOf.get(character.codePointAt(0) ?? 0))
  // A token that contains a character which stands for no byte is written as UTF-8.
  return bytes.includes(undefined) ? Buffer.from(token) : Buffer.from(bytes as number[])
}

function* tensorsOf(
  get: (name: string) => Variable,
  { audioLayers, textLayers, state }: { audioLayers: number; textLayers: number; state: number },
): Generator<Tensor> {
  const { whole, norm, attention, feedForward } = readersOf(get, state)
  const self = [['linear_0', 0], ['linear_0', 1], ['linear_0', 2], 'linear_1'] as const
  const cross = [['linear_0', 0], ['linear_1', 0], ['linear_1', 1], 'linear_2'] as const
  // The tensors are written in the order of OpenAI's checkpoint, so that the file equals that of
  // whisper.cpp's authors byte for byte.
  yield { ...whole('decoder.positional_embedding', 'decoder/position_encodings/encodings'), isWide: true }
  yield { ...whole('encoder.positional_embedding', 'encoder/position_encodings/encodings'), isWide: true }
  yield whole('decoder.token_embedding.weight', 'decoder/embeddings/weight')
  for (let layer = 0; layer < textLayers; layer++) {
    const [name, from] = [`decoder.blocks.${layer}`, `decoder/layer_${layer}`]
    yield* feedForward(name, from)
    yield* norm(`${name}.attn_ln`, `${from}/self_attention/layer_norm`)
    yield* attention(`${name}.attn`, `${from}/self_attention`, self)
    yield* norm(`${name}.cross_attn_ln`, `${from}/attention/layer_norm`)
    yield* attention(`${name}.cross_attn`, `${from}/attention`, cross)
  }
  yield* norm('decoder.ln', 'decoder/layer_norm')
  for (const conv of ['conv1', 'conv2']) {
    yield whole(`encoder.${conv}.weight`, `encoder/${conv}/weight`)
    yield whole(`encoder.${conv}.bias`, `encoder/${conv}/bias`, [state, 1])
  }
  for (let layer = 0; layer < audioLayers; layer++) {
    const [name, from] = [`encoder.blocks.${layer}`, `encoder/layer_${layer}`]
    yield* feedForward(name, from)
    yield* norm(`${name}.attn_ln`, `${from}/self_attention/layer_norm`)
    yield* attention(`${name}.attn`, `${from}/self_attention`, self)
  }
  yield* norm('encoder.ln_post', 'encoder/layer_norm')
}

/** Returns functions that read parts of the model. Each takes the name of the part in OpenAI's file
 *  and in CTranslate2's file. */
function readersOf(get: (name: string) => Variable, state: number) {
  const whole = (name: string, from: string, shape?: readonly number[]): Tensor => {
    const variable = get(from)
    const dimensions = shape ?? variable.shape
    return { name, shape: dimensions, halves: variable.halves, isWide: dimensions.length === 1 || shape !== undefined }
  }
  const norm = (name: string, from: string): Tensor[] => [whole(`${name}.weight`, `${from}/gamma`), whole(`${name}.bias`, `${from}/beta`)]
  const linear = (name: string, from: string): Tensor[] => [
    whole(`${name}.weight`, `${from}/weight`),
    whole(`${name}.bias`, `${from}/bias`),
  ]
  /** Returns one of several matrices that CTranslate2 stacks in one variable. */
  const slice = (name: string, from: string, index: number): Tensor => {
    const { weight, bias } = { weight: get(`${from}/weight`), bias: get(`${from}/bias`) }
    const [variable, isWide] = name.endsWith('.bias') ? [bias, true] : [weight, false]
    const bytes = (isWide ? state : state * state) * 2
    return { name, shape: isWide ? [state] : [state, state], halves: variable.halves.subarray(index * bytes, (index + 1) * bytes), isWide }
  }
  const attention = (
    name: string,
    from: string,
    parts: readonly [query: readonly [string, number], key: readonly [string, number], value: readonly [string, number], out: string],
  ): Tensor[] => {
    const [[query, q], [key, k], [value, v], out] = parts
    return [
      slice(`${name}.query.weight`, `${from}/${query}`, q),
      slice(`${name}.query.bias`, `${from}/${query}`, q),
      // Whisper's key projection has no bias; CTranslate2 stores zeros for it, which are left out.
      slice(`${name}.key.weight`, `${from}/${key}`, k),
      slice(`${name}.value.weight`, `${from}/${value}`, v),
      slice(`${name}.value.bias`, `${from}/${value}`, v),
      ...linear(`${name}.out`, `${from}/${out}`),
    ]
  }
  const feedForward = (name: string, from: string): Tensor[] => [
    ...norm(`${name}.mlp_ln`, `${from}/ffn/layer_norm`),
    ...linear(`${name}.mlp.0`, `${from}/ffn/linear_0`),
    ...linear(`${name}.mlp.2`, `${from}/ffn/linear_1`),
  ]
  return { whole, norm, attention, feedForward }
}

function* bytesOf({ name, shape, halves, isWide }: Tensor): Generator<Buffer> {
  yield integers(shape.length, name.length, isWide ? 0 : 1, ...shape.toReversed())
  yield Buffer.from(name, 'latin1')
  yield isWide ? widened(halves) : halves
}

/** Converts 16-bit floats to 32-bit ones. */
function widened(halves: Buffer): Buffer {
  const wide = Buffer.allocUnsafe(halves.length * 2)
  for (let at = 0; at < halves.length; at += 2) wide.writeFloatLE(singleOf(halves.readUInt16LE(at)), at * 2)
  return wide
}

/** Returns the value of an IEEE 754 binary16 number, which is given as its 16 bits. */
function singleOf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

function integers(...values: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, index * 4)
  return bytes
}
