/** Ensures that a minimum of disk space stays free. Files count with their announced size as soon
 *  as writing begins, so many simultaneous writes cannot exceed the free space together. */
import { statfsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { GatewayError } from './errors.ts'

export interface DiskRoom {
  /** Reserves disk space for a file of `announcedBytes`, which is 0 when the size is unknown. Bytes
   *  that other accounts have announced and not sent reserve at most half of the room, so that no
   *  account can keep others out with announcements alone. Files without an account count as those
   *  of one account. Throws `disk_full` when the free space would fall below the minimum. */
  open(announcedBytes?: number, account?: string): RoomReservation
}

/** The disk space reserved for one file, until the file is complete or deleted. */
export interface RoomReservation {
  /** Counts bytes that are about to be written. The bytes first use up the space reserved for the
   *  announced size; bytes beyond that size are reserved now. Throws `disk_full` when the free
   *  space would fall below the minimum, for announced bytes only if other accounts have used the
   *  space. */
  take(bytes: number): void
  /** Ends the reservation: the file is complete or deleted. A second call does nothing. */
  close(): void
}

interface DiskRoomOptions {
  /** Returns the free bytes of the disk now. */
  freeBytes(): number
  /** The floor: bytes that must stay free. */
  minFreeBytes: number
  /** A monotonic clock in milliseconds; `performance.now` when absent. */
  now?: () => number
}

/** Minimum time between two reads of the free space, in milliseconds. Between two reads, the bytes
 *  written meanwhile are subtracted from the last reading. */
const checkEveryMs = 50
const retryAfterSeconds = 60

export function createDiskRoom({ freeBytes, minFreeBytes, now = () => performance.now() }: DiskRoomOptions): DiskRoom {
  let free = 0
  let checkedAt = Number.NEGATIVE_INFINITY
  const expected = new ExpectedBytes()
  /** Returns the bytes above the floor; negative below it. */
  const roomNow = (): number => {
    if (now() - checkedAt >= checkEveryMs) {
      free = freeBytes()
      checkedAt = now()
    }
    return free - minFreeBytes
  }
  const assertFits = (bytes: number, room: number): void => {
    if (bytes <= room) return
    const mebibytes = Math.round(minFreeBytes / 2 ** 20)
    throw new GatewayError('disk_full', `There is no room on disk for so many bytes: free space would fall below ${mebibytes} MiB.`, {
      retryAfterSeconds,
    })
  }
  const assertRoom = (bytes: number, account: string): void => {
    const room = roomNow()
    const own = expected.of(account)
    assertFits(bytes, room - own - Math.min(expected.total - own, Math.max(0, room) / 2))
  }
  return {
    open: (announcedBytes = 0, account = '') => {
      assertRoom(announcedBytes, account)
      let left = announcedBytes
      expected.add(account, left)
      return {
        take: bytes => {
          const announced = Math.min(left, bytes)
          if (bytes > announced) assertRoom(bytes - announced, account)
          assertFits(bytes, roomNow())
          left -= announced
          expected.add(account, -announced)
          free -= bytes
        },
        close: () => {
          expected.add(account, -left)
          left = 0
        },
      }
    },
  }
}

/** Bytes announced and not yet written, of each account. */
class ExpectedBytes {
  readonly #byAccount = new Map<string, number>()
  total = 0

  of(account: string): number {
    return this.#byAccount.get(account) ?? 0
  }

  add(account: string, bytes: number): void {
    const sum = this.of(account) + bytes
    this.total += bytes
    if (sum > 0) this.#byAccount.set(account, sum)
    else this.#byAccount.delete(account)
  }
}

const rooms = new Map<string, DiskRoom>()
const endless: RoomReservation = { take: () => {}, close: () => {} }

/** Watches the disk of an existing folder until it is disposed; while it watches, `openRoom` counts
 *  every file below that folder. */
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

/** Reserves space for the file at this path. A file outside of all watched folders gets a
 *  reservation without a limit. Throws as `DiskRoom.open` does. */
export function openRoom(file: string, announcedBytes = 0): RoomReservation {
  const path = resolve(file)
  for (const [folder, room] of rooms) if (path.startsWith(folder + sep)) return room.open(announcedBytes)
  return endless
}
