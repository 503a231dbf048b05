import type { JsonObject } from '@generation-gateway/kit/json.ts'

/** Requests above this size (UTF-8 bytes) are kept as a blob; the row holds a reference (`design.md`, task core). */
export const inlineRequestBytes = 8 * 1024

/** What a row holds in place of a large request: the id of its blob. */
export function requestReference(blobId: string): JsonObject {
  return { $blob: blobId }
}

/** The blob id when the stored request is a reference. */
export function referencedBlob(request: JsonObject): string | undefined {
  return typeof request.$blob === 'string' ? request.$blob : undefined
}
