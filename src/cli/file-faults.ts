import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { folderReasons } from '../stores/files/data-folder.ts'

const reasons: Readonly<Record<string, string>> = {
  ...folderReasons,
  ENOENT: 'there is no such file or folder',
  EIO: 'the disk has failed',
}
const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** Waits for `work`, which reads or writes `folder`, and returns its result. When it fails with an
 *  error of the file system, throws an error that says in one sentence which file could not be used
 *  (or only the folder, when the file is unknown), and why. */
export async function withFileFaults<Result>(folder: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    const { code, syscall, path, dest } = Object(cause)
    if (cause instanceof GatewayError || typeof code !== 'string' || typeof syscall !== 'string') throw cause
    const place = JSON.stringify(dest ?? path ?? folder)
    if (fullCodes.has(code)) {
      const sentence = `${place} cannot be written: ${reasons[code]}. Make room and run the command again: it goes on.`
      throw new GatewayError('disk_full', sentence, { cause })
    }
    const reason = (syscall === 'mkdir' ? folderReasons : reasons)[code] ?? code
    throw new GatewayError('invalid_request', `${place} cannot be used: ${reason}.`, { cause })
  }
}
