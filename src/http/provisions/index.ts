/** Lists the provisions: the functions that provide what an operation can declare as a need
 *  (`contract/needs/`), one function per need. */
import type { NeedName } from '../../contract/needs/index.ts'
import { accountTasks } from './account-tasks.ts'
import { buckets } from './buckets.ts'
import { completions } from './completions.ts'
import { countInput } from './count-input.ts'
import { earlyOutputs } from './early-outputs.ts'
import { files } from './files.ts'
import { infer } from './infer.ts'
import { keyUsage } from './key-usage.ts'
import { models } from './models.ts'
import { neutralWork } from './neutral-work.ts'
import { fieldsNotFollowed } from './not-followed.ts'
import type { Provision } from './provision.ts'
import { respond } from './respond.ts'
import { responses } from './responses.ts'
import { section } from './section.ts'
import { sentBody } from './sent-body.ts'
import { taskEnding } from './task-ending.ts'
import { templates } from './templates.ts'
import { voices } from './voices.ts'

export const provisions: { readonly [Name in NeedName]: Provision<Name> } = {
  accountTasks,
  buckets,
  completions,
  countInput,
  earlyOutputs,
  files,
  infer,
  keyUsage,
  models,
  neutralWork,
  notFollowed: fieldsNotFollowed,
  respond,
  responses,
  section,
  sentBody,
  taskEnding,
  templates,
  voices,
}
