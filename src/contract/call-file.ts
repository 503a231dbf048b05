/** Files that a handler passes to `submit`, `run` or `files.keep`. */

import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { StoredFile } from '../core/ports/files.ts'

/** A file of the request, on disk. The header of the file was read, and the file fits the limits
 *  of its field. */
export interface CallFile extends InputFacts {
  /** Path of the field as the caller wrote it: `images[1]`. */
  field: string
  /** File name that the caller gave; the gateway itself does not use it. */
  name?: string
  /** Local temporary file. `submit` moves it into the blob store; a file that is not submitted is
   *  removed after the call. */
  path: string
}

/** A stored file of the account as an input. The bytes are not copied: the task and the stored
 *  file refer to the same blob. */
export interface AccountFile extends Pick<InputFacts, 'lengthLimits'> {
  stored: StoredFile
  /** Purpose of the file in the capability: `image`, `mask`, `last-frame`. */
  role: string
}
