/** Lists the needs: parts of a handler's context that only those operations get which declare them.
 *  Each need is a type in this folder, a line here, and a provider in `http/provisions/`. */

import type { AccountTasks } from './account-tasks.ts'
import type { Buckets } from './buckets.ts'
import type { Completions } from './completions.ts'
import type { CountInput } from './count-input.ts'
import type { OutputsInProgress } from './early-outputs.ts'
import type { Files } from './files.ts'
import type { Infer } from './infer.ts'
import type { UsageReport } from './key-usage.ts'
import type { Models } from './models.ts'
import type { NeutralWork } from './neutral-work.ts'
import type { NotFollowed } from './not-followed.ts'
import type { Respond } from './respond.ts'
import type { Responses } from './responses.ts'
import type { ReadSection } from './section.ts'
import type { SentBody } from './sent-body.ts'
import type { TaskEnding } from './task-ending.ts'
import type { Templates } from './templates.ts'
import type { Voices } from './voices.ts'

/** The types of all needs by name. `Operation.needs` lists such names, and the context has each
 *  need as a member of that name. */
export interface Needs {
  accountTasks: AccountTasks
  buckets: Buckets
  completions: Completions
  countInput: CountInput
  earlyOutputs: OutputsInProgress
  files: Files
  infer: Infer
  keyUsage: UsageReport
  models: Models
  neutralWork: NeutralWork
  notFollowed: NotFollowed
  respond: Respond
  responses: Responses
  section: ReadSection
  sentBody: SentBody
  taskEnding: TaskEnding
  templates: Templates
  voices: Voices
}

export type NeedName = keyof Needs
