import type { FamilyEntry } from '../contract/family.ts'
import { chatEntry } from './chat/handlers.ts'
import { f1Entry } from './f1/handlers.ts'
import { f2Entry } from './f2/handlers.ts'
import { f3Entry } from './f3/handlers.ts'
import { f4Entry } from './f4/handlers.ts'
import { hEntry } from './h/handlers.ts'
import { imagesEntry } from './images/handlers.ts'
import { kEntry } from './k/handlers.ts'
import { mEntry } from './m/handlers.ts'
import { modelsEntry } from './models/handlers.ts'
import { r1Entry } from './r1/handlers.ts'
import { r3Entry } from './r3/handlers.ts'
import { r4Entry } from './r4/handlers.ts'
import { r5Entry } from './r5/handlers.ts'
import { responsesEntry } from './responses/handlers.ts'
import { sEntry } from './s/handlers.ts'
import { searchEntry } from './search/handlers.ts'
import { slidesEntry } from './slides/handlers.ts'
import { t1Entry } from './t1/handlers.ts'
import { t2Entry } from './t2/handlers.ts'
import { t3Entry } from './t3/handlers.ts'
import { tasksEntry } from './tasks/handlers.ts'
import { usageEntry } from './usage/handlers.ts'
import { vEntry } from './v/handlers.ts'
import { voicesEntry } from './voices/handlers.ts'

/** Every family the gateway serves; adding one is a folder and a line here. */
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
  responsesEntry,
  searchEntry,
  slidesEntry,
  modelsEntry,
  voicesEntry,
  usageEntry,
  tasksEntry,
]
