import { isKeptId } from '@generation-gateway/kit/kept-id.ts'

/** Pattern of the upstream's id at the beginning of `encrypted_content`. The upstream can
 *  decrypt reasoning only together with the id that it gave the item. But the gateway has to
 *  send the caller an id of its own before it knows the upstream's. It therefore stores the
 *  upstream's id inside `encrypted_content`, which clients send back unread. */
const carried = /^id=((?:[A-Za-z0-9_.!~*'()-]|%[2-7][0-9A-F]){1,3072}):/

/** Returns `encrypted` prefixed with the upstream's id; content that already has an id is returned
 *  unchanged. */
export function withUpstreamId(encrypted: string, id: string | undefined): string {
  if (id === undefined || carried.test(encrypted) || !isKeptId(id)) return encrypted
  return `id=${encodeURIComponent(id)}:${encrypted}`
}

/** Returns the encrypted content and the id as the upstream sent them. */
export function splitUpstreamId(content: string): { encrypted: string; id?: string } {
  const found = carried.exec(content)
  return found?.[1] === undefined ? { encrypted: content } : { encrypted: content.slice(found[0].length), id: decodeURIComponent(found[1]) }
}
