/** Room on the disk for what is being written: files under way are counted before they are there, so that many at once do not take the free space below its floor. */
import { statfsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { GatewayError } from './errors.ts'

export interface DiskRoom {
  /** Keeps room for a file of which so many bytes are announced; 0 when nobody says how many come. Throws `disk_full` when the floor would be passed. */
  open(announcedBytes?: number): RoomTaken
}

/** The room of one file, from its announcement to its end. */
export interface RoomTaken {
  /** Bytes that are written now: out of what was announced, and beyond it anew. Throws `disk_full` when the floor would be passed. */
  take(bytes: number): void
  /** The file is complete, or gone. Once more does nothing. */
  close(): void
}

interface DiskRoomOptions {
  /** Free bytes of the disk now. */
  freeBytes(): number
  /** Free bytes that nothing that is written may leave fewer of. */
  minFreeBytes: number
  /** Monotonic milliseconds; the clock of the process when absent. */
  now?: () => number
}

/** The disk is asked this often at most; between two looks what is written is counted. */
const lookEveryMs = 50
const retryAfterSeconds = 60

export function createDiskRoom({ freeBytes, minFreeBytes, now = () => performance.now() }: DiskRoomOptions): DiskRoom {
  let free = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Announced and not yet written, of all files. */
  let expected = 0
  const assertRoom = (bytes: number): void => {
    if (now() - lookedAt >= lookEveryMs) {
      free = freeBytes()
      lookedAt = now()
    }
    if (free - expected - bytes >= minFreeBytes) return
    const mebibytes = Math.round(minFreeBytes / 2 ** 20)
    throw new GatewayError('disk_full', `There is no room on disk for so many bytes: free space would fall below ${mebibytes} MiB.`, {
      retryAfterSeconds,
    })
  }
  return {
    open: (announcedBytes = 0) => {
      assertRoom(announcedBytes)
      let left = announcedBytes
      expected += left
      return {
        take: bytes => {
          const announced = Math.min(left, bytes)
          if (bytes > announced) assertRoom(bytes - announced)
          left -= announced
          expected -= announced
          free -= bytes
        },
        close: () => {
          expected -= left
          left = 0
        },
      }
    },
  }
}

const rooms = new Map<string, DiskRoom>()
const endless: RoomTaken = { take: () => {}, close: () => {} }

/** Watches the disk of a folder, which has to be there, until it is disposed: all that asks for room below it is counted. */
export function watchDiskRoom(folder: string, minFreeBytes: number, freeBytes = () => freeBytesAt(folder)): DiskRoom & Disposable {
  const path = resolve(folder)
  const room = createDiskRoom({ freeBytes, minFreeBytes })
  rooms.set(path, room)
  return {
    ...room,
    [Symbol.dispose]: () => {
      if (rooms.get(path) === room) rooms.delete(path)
    },
  }
}

function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Room for a file by its path; endless below a folder that nobody watches. Throws as `DiskRoom.open` does. */
export function openRoom(file: string, announcedBytes = 0): RoomTaken {
  const path = resolve(file)
  for (const [folder, room] of rooms) if (path.startsWith(folder + sep)) return room.open(announcedBytes)
  return endless
}
