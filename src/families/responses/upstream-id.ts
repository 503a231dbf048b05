import { isKeptId } from '@generation-gateway/kit/requests/kept-id.ts'

/** Encrypted reasoning is bound to the id its upstream gave it, while an item's id here is known before the upstream tells its own.
 *  So the upstream's id travels inside of `encrypted_content`, which is opaque to clients. */
const carried = /^id=((?:[A-Za-z0-9_.!~*'()-]|%[2-7][0-9A-F]){1,3072}):/

/** `encrypted` with the upstream's id before it; one that carries an id already stays as it is. */
export function withUpstreamId(encrypted: string, id: string | undefined): string {
  if (id === undefined || carried.test(encrypted) || !isKeptId(id)) return encrypted
  return `id=${encodeURIComponent(id)}:${encrypted}`
}

/** What the upstream gave. */
export function splitUpstreamId(content: string): { encrypted: string; id?: string } {
  const found = carried.exec(content)
  return found?.[1] === undefined ? { encrypted: content } : { encrypted: content.slice(found[0].length), id: decodeURIComponent(found[1]) }
}
