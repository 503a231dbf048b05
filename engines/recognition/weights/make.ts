import { readFile } from 'node:fs/promises'
import type { FileMaker } from '@generation-gateway/kit/packs.ts'
import { ggmlOf } from './ggml.ts'

/** Makes Whisper's weights for whisper.cpp from those for CTranslate2 and the list of its
 *  tokens. */
const make: FileMaker = async function* ({ 'model.bin': model = '', 'vocabulary.txt': vocabulary = '' }) {
  yield* ggmlOf(await readFile(model), await readFile(vocabulary, 'utf8'))
}
export default make
