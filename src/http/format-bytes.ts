/** Returns a size as text for error messages: `20 MB`, `1.5 KB`, `700 bytes`. MB means 2^20
 *  bytes. */
export function formatBytes(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${round(bytes / (1024 * 1024))} MB`
  if (bytes >= 1024) return `${round(bytes / 1024)} KB`
  return `${bytes} bytes`
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}
