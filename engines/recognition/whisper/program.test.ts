import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { alignmentPreset } from './program.ts'

/** For each model: the number of tokens and of layers in the encoder and the decoder, and its
 *  preset in programs with and without the option `--vad`. */
const models: Record<string, [tokens: number, encoder: number, decoder: number, preset?: string, older?: string | undefined]> = {
  tiny: [51_865, 4, 4, 'tiny'],
  'base.en': [51_864, 6, 6, 'base.en'],
  'large-v2': [51_865, 32, 32],
  'large-v3': [51_866, 32, 32, 'large.v3'],
  'large-v3-turbo': [51_866, 32, 4, 'large.v3.turbo', undefined],
  'distil-small.en': [51_864, 12, 4],
  'distil-medium.en': [51_864, 24, 2],
  'distil-large-v3': [51_866, 32, 2],
}

test('words are aligned by the attention heads of each model, or not at all', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'whisper-weights-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, [tokens, encoder, decoder, preset, ...older]] of Object.entries(models)) {
    const head = Int32Array.of(0x67676d6c, tokens, 1500, 384, 6, encoder, 448, 384, 6, decoder, 80, 1)
    const path = join(folder, name)
    await writeFile(path, head)
    assert.equal(await alignmentPreset(path, new Set(['--dtw', '--vad'])), preset, name)
    assert.equal(await alignmentPreset(path, new Set(['--dtw'])), older.length > 0 ? older[0] : preset, name)
  }
})
