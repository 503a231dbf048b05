import { readFile } from 'node:fs/promises'
import type { FileMaker } from '@generation-gateway/kit/packs.ts'
import { ggmlOf } from './ggml.ts'

/** Makes whisper.cpp's weights file from CTranslate2's weights and vocabulary. */
const make: FileMaker = async function* ({ 'model.bin': model = '', 'vocabulary.txt': vocabulary = '' }) {
  yield* ggmlOf(await readFile(model), await readFile(vocabulary, 'utf8'))
}
export default make
