import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readGgufFileInfo } from 'node-llama-cpp'
import { samplingOf } from './sampling.ts'

/** Returns a GGUF file that has only metadata. A value is a text or a 32-bit number. */
function ggufOf(metadata: Record<string, string | number>): Buffer {
  const text = (value: string): Buffer => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)])
  const entries = Object.entries(metadata).map(([key, value]) =>
    Buffer.concat([text(key), ...(typeof value === 'string' ? [uint32(8), text(value)] : [uint32(6), float32(value)])]),
  )
  return Buffer.concat([Buffer.from('GGUF'), uint32(3), uint64(0), uint64(entries.length), ...entries])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

async function samplingOfFile(metadata: Record<string, string | number>, chosen = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-gguf-'))
  try {
    const file = join(folder, 'model.gguf')
    await writeFile(file, ggufOf(metadata))
    const { metadata: read } = await readGgufFileInfo(file)
    return samplingOf(read, chosen)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('values recommended by the model file replace those for its architecture, and values of the operator replace both', async () => {
  const recommended = {
    'general.architecture': 'qwen2',
    'general.sampling.temp': 0.6,
    'general.sampling.min_p': 0.05,
    'general.sampling.penalty_repeat': 1.15,
  }
  assert.deepEqual(await samplingOfFile(recommended, { topK: 5, minP: 0 }), {
    temperature: 0.6,
    topP: 0.8,
    topK: 5,
    minP: 0,
    repeatPenalty: 1.15,
  })
})

test('a file of an unknown architecture gets cautious values', async () => {
  assert.deepEqual(await samplingOfFile({ 'general.architecture': 'llama' }), {
    temperature: 0.2,
    topP: 0.9,
    topK: 128,
    minP: 0,
    repeatPenalty: 1,
  })
})
