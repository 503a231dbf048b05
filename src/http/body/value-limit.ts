import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Largest number of values in one body, unless an operation sets another one. Parsing and later
 *  steps block the event loop, and parsing takes about a microsecond per value
 *  (docs/measured.md#parsing). The limit keeps this time short. */
export const usualValues = 100_000

/** Throws `payload_too_large` when the body has more than `most` values; `what` is the word for
 *  them in the message. */
export function limitValues(count: number, most = usualValues, what = 'values'): void {
  if (count > most) throw new GatewayError('payload_too_large', `The body has more than ${most} ${what}.`)
}

/** Largest number of members of one object in a body. Each member costs about 4 microseconds of
 *  CPU time over all steps (60,000 took 0.23 s); the interface has no object with as many. */
const mostMembers = 10_000

const [quote, backslash, colon, open, close] = [0x22, 0x5c, 0x3a, 0x7b, 0x7d]

/** Throws `payload_too_large` when an object in the JSON has more than 10,000 members. `named`
 *  returns the words for the object at an offset in the JSON, which may be malformed. */
export function limitMembers(json: Buffer, named: (offset: number) => string): void {
  const outer: { begin: number; members: number }[] = []
  let [begin, members] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    const code = json[at]
    if (code === quote) at = endOfString(json, at)
    else if (code === colon) {
      members += 1
      if (members > mostMembers) throw new GatewayError('payload_too_large', `${named(begin)} has more than ${mostMembers} members.`)
    } else if (code === open) {
      outer.push({ begin, members })
      begin = at
      members = 0
    } else if (code === close) ({ begin, members } = outer.pop() ?? { begin, members })
  }
}

/** Returns the offset of the quote that ends the string that begins at `at`; the length of the
 *  JSON when none does. */
function endOfString(json: Buffer, at: number): number {
  for (let next = at + 1; next < json.length; next++) {
    if (json[next] === backslash) next += 1
    else if (json[next] === quote) return next
  }
  return json.length
}
