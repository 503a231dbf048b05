import type { Demo } from './demo.ts'
import { f1Demo } from './f1.ts'
import { f4Demo } from './f4.ts'
import { f2Demo, f3Demo, imagesDemo } from './images.ts'
import { hDemo, kDemo, musicDemo, sDemo, slidesDemo, vDemo } from './media.ts'
import { embeddingsDemo, moderationsDemo, rerankDemo } from './retrieval.ts'
import { searchDemo } from './search.ts'
import { r1Demo, r5Demo, t1Demo, t2Demo, t3Demo } from './speech.ts'
import { chatDemo, messagesDemo, responsesDemo } from './text.ts'

/** The demos of all families, in the order in which they run. */
export const demos: readonly Demo[] = [
  f1Demo,
  f2Demo,
  f3Demo,
  f4Demo,
  imagesDemo,
  t1Demo,
  t2Demo,
  t3Demo,
  r1Demo,
  r5Demo,
  chatDemo,
  responsesDemo,
  messagesDemo,
  embeddingsDemo,
  rerankDemo,
  moderationsDemo,
  searchDemo,
  sDemo,
  vDemo,
  hDemo,
  kDemo,
  musicDemo,
  slidesDemo,
]
