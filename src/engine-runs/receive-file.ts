import { open } from 'node:fs/promises'
import { openRoom } from '@generation-gateway/kit/disk-room.ts'
import { toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FrameReader } from './wire.ts'

/** Writes the next bytes that another node sends into a new file. Throws `disk_full` when there is
 *  no room for them, `internal_error` for another fault of the disk, and the errors of the
 *  reader. */
export async function receiveFile(path: string, bytes: number, reader: FrameReader): Promise<void> {
  const room = openRoom(path, bytes)
  const file = await open(path, 'wx').catch((error: unknown) => {
    room.close()
    throw toGatewayError(error)
  })
  try {
    for await (const part of reader.pass(bytes)) {
      room.take(part.length)
      await file.writeFile(part).catch((error: unknown) => {
        throw toGatewayError(error)
      })
    }
  } finally {
    room.close()
    await file.close()
  }
}
