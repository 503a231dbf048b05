import type { FamilyEntry } from '../contract/family.ts'
import { chatEntry } from './chat/handlers.ts'
import { completionsEntry } from './completions/handlers.ts'
import { embedContentEntry } from './embed-content/handlers.ts'
import { embeddingsEntry } from './embeddings/handlers.ts'
import { f1Entry } from './f1-image/handlers.ts'
import { f2Entry } from './f2-image-batch/handlers.ts'
import { f3Entry } from './f3-image-references/handlers.ts'
import { f4Entry } from './f4-artwork/handlers.ts'
import { gatewayEntry } from './gateway/handlers.ts'
import { generateContentEntry } from './generate-content/handlers.ts'
import { hEntry } from './h-video/handlers.ts'
import { imagesEntry } from './images/handlers.ts'
import { kEntry } from './k-video/handlers.ts'
import { mEntry } from './m-music/handlers.ts'
import { messagesEntry } from './messages/handlers.ts'
import { modelsEntry } from './models/handlers.ts'
import { moderationsEntry } from './moderations/handlers.ts'
import { r1Entry } from './r1-transcription/handlers.ts'
import { r3Entry } from './r3-fast-transcription/handlers.ts'
import { r4Entry } from './r4-short-recognition/handlers.ts'
import { r5Entry } from './r5-speech-translation/handlers.ts'
import { rerankEntry } from './rerank/handlers.ts'
import { responsesEntry } from './responses/handlers.ts'
import { sEntry } from './s-video/handlers.ts'
import { searchEntry } from './search/handlers.ts'
import { slidesEntry } from './slides/handlers.ts'
import { t1Entry } from './t1-speech/handlers.ts'
import { t2Entry } from './t2-narration/handlers.ts'
import { t3Entry } from './t3-voice-speech/handlers.ts'
import { tasksEntry } from './tasks/handlers.ts'
import { usageEntry } from './usage/handlers.ts'
import { vEntry } from './v-video/handlers.ts'
import { voicesEntry } from './voices/handlers.ts'

/** Every family that the gateway serves. A new family is a folder and a line in this list. */
export const families: readonly FamilyEntry[] = [
  f1Entry,
  f2Entry,
  f3Entry,
  f4Entry,
  imagesEntry,
  sEntry,
  hEntry,
  mEntry,
  vEntry,
  kEntry,
  t1Entry,
  t2Entry,
  t3Entry,
  r1Entry,
  r3Entry,
  r4Entry,
  r5Entry,
  chatEntry,
  completionsEntry,
  responsesEntry,
  messagesEntry,
  generateContentEntry,
  embeddingsEntry,
  embedContentEntry,
  rerankEntry,
  moderationsEntry,
  searchEntry,
  slidesEntry,
  modelsEntry,
  voicesEntry,
  usageEntry,
  tasksEntry,
  gatewayEntry,
]
