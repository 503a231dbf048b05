/** Returns the length of a recording as families R4 and R5 report it: in units of 100 ns, and in
 *  whole seconds, at least 1 unless the recording is empty. */
export function recordingLength(seconds: number): { duration: number; durationInSeconds: number } {
  const duration = Math.round(seconds * 1e7)
  return { duration, durationInSeconds: duration > 0 ? Math.max(1, Math.round(duration / 1e7)) : 0 }
}
