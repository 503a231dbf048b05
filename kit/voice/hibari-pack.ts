/** Declares the pack of Hibari, a neural voice. The speech engine speaks with it, and the music
 *  engine sings with it. */
import type { ArchivePart, Pack, PackFile } from '../packs.ts'

export const hibariPack = 'speech-hibari'
/** Name of the network's file in the pack. */
export const hibariNetwork = 'model.onnx'

/** The pack's declaration. Its versions, sizes and hashes were measured on the downloaded files
 *  (docs/decisions/0005). */
export const hibari: Pack = {
  id: hibariPack,
  title: 'Hibari, a fast English voice, and the lexicons of English',
  capability: 'speech.synthesize',
  licence: 'Apache-2.0',
  isDefault: true,
  files: [
    ofHibari('hibari.onnx', 7_936_868, '5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8', hibariNetwork),
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
}

function ofHibari(asset: string, bytes: number, sha256: string, name = asset): PackFile {
  const part: ArchivePart = { from: 'wheel', name: 'hibari-tts==0.2.1', entry: `hibari/assets/${asset}`, bytes }
  return { name, bytes, sha256, sources: [{ kind: 'archives', parts: [part] }] }
}
