/** Shows the progress of a long command in one line. */
export interface Progress {
  /** Replaces the line shown before. A text that comes soon after another one may be dropped. */
  show(text: string): void
  /** Removes the line. */
  clear(): void
}

const everyMs = 100

/** Returns a progress display that overwrites one line of a terminal. When the stream is not a
 *  terminal, nothing is shown. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} }
  let shownAt = 0
  return {
    show(text) {
      const now = performance.now()
      if (now - shownAt < everyMs) return
      shownAt = now
      stream.write(`\r\x1b[K${text.slice(0, Math.max(10, stream.columns - 1))}`)
    },
    clear: () => void stream.write('\r\x1b[K'),
  }
}

/** Returns a function that shows the number of blobs copied so far. `all` is the total number of
 *  blobs, when it is known. */
export function showBlobs(progress: Progress, all?: number): (copied: { blobs: number; bytes: number }) => void {
  const of = all === undefined ? '' : ` of ${all}`
  return ({ blobs, bytes }) => progress.show(`blobs: ${blobs}${of} (${megabytes(bytes)})`)
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
